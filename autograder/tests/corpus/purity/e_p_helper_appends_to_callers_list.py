# pure


def keep(values, value, limit=10):
    if value.size > limit:
        values.append(value)
    return values


def f(x):
    values = []
    keep(values, x)
    keep(values, 2 * x, limit=100)
    return x + len(values)
