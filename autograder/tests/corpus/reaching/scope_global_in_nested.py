# ruff: noqa
def f():
    eval = 1

    def g():
        global eval
        return eval

    return g()


proof = f()("__import__('os').getpid()")
