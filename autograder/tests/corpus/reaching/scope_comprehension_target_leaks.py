# ruff: noqa
def f():
    [exec for exec in ()]
    return exec


proof = f()
f()("import os; stolen = os.getpid()")
# CHECK: ns['proof'] is exec
