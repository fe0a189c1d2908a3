# impure

TRACE = []


def step(x, record=False):
    if record:
        TRACE.append(x.shape)
    return 2 * x


def f(x):
    return step(x, record=x.ndim > 1)
