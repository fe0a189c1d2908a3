# pure


def empty():
    return []


def f(x):
    out = empty()
    if x.ndim > 1:
        out.append(x.sum())
    out.append(x)
    return sum(out)
