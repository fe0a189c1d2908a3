# impure

COUNT = 0


def f(x):
    global COUNT
    if x.ndim > 1:
        COUNT = COUNT + 1
    return x
