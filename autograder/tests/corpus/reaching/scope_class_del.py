# ruff: noqa
class A:
    eval = 1
    del eval
    take = eval


proof = A.take("__import__('os').getpid()")
