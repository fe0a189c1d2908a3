# ruff: noqa
class Own:
    obj = os = getpid = None


import matplotlib

try:
    matplotlib.pyplot.plot
except AttributeError as error:
    module = error.obj
proof = module.os.getpid()
# CHECK: ns['module']
