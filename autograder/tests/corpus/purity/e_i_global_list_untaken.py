# impure

LOG = []


def f(x):
    if x.shape[0] > 100:
        LOG.append(x.shape)
    return x
