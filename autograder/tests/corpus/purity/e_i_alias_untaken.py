# impure

STORE = {}


def f(x):
    s = STORE
    if x.ndim > 1:
        s["x"] = x.shape
    return x
