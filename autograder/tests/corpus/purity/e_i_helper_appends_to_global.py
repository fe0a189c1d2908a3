# impure

OUT = []


def keep(values, v):
    values.append(v.shape)


def f(x):
    keep(OUT, x)
    return x
