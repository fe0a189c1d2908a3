# pure
import sys


def backend(x):
    if x.ndim > 5:
        return "torch" in sys.modules
    return False


def f(x):
    return x * (1 + backend(x))
