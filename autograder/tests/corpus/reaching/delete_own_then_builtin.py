# ruff: noqa
def f():
    def eval(x):
        return x

    class A:
        global eval
        take = eval

    return A.take


proof = f()("__import__('os').getpid()")
