# pure

LOG = []
FAST = True


def f(x):
    if FAST:
        y = x * 2
    else:
        LOG.append(x)
        y = x + x
    return y
