# impure

FAST = True
LOG = []


def slow():
    global FAST
    FAST = False


def f(x):
    if FAST:
        return x
    else:
        LOG.append(x.shape)
        return x
