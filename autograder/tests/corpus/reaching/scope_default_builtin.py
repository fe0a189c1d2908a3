# ruff: noqa
def f(eval=eval):
    return eval


proof = f()("__import__('os').getpid()")
# CHECK: ns['proof'] == os.getpid()
