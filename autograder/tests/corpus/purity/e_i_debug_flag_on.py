# impure

DEBUG = True
LOG = []


def f(x):
    if DEBUG:
        LOG.append(1)
    return x
