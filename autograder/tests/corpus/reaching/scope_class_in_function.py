# ruff: noqa
def f():
    eval = 1

    class A:
        take = eval
        eval = 2

    return A.take


proof = f()("__import__('os').getpid()")
