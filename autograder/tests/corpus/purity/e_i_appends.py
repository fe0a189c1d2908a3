# impure

LOG = []


def f(x):
    LOG.append(1)
    return x
