# pure

TRACE = []


def step(x, record=False):
    if record:
        TRACE.append(x)
    return 2 * x


def f(x):
    return step(x) + step(x, record=False)


def show(x):
    return step(x, record=True)
