# impure

DEBUG = False
LOG = []


def enable():
    global DEBUG
    DEBUG = True


def f(x):
    if DEBUG:
        LOG.append(x)
    return x
