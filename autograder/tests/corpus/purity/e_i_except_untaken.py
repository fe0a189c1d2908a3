# impure

FAILED = []


def f(x):
    try:
        return x.reshape(3)
    except TypeError:
        FAILED.append(x.shape)
        return x
