# pure


def put(store, *values):
    for v in values:
        if v.ndim > 1:
            store.append(v.sum())
        else:
            store.append(v)


def f(x):
    out = []
    put(*[out, x, 2 * x])
    return sum(out)
