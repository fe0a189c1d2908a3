# impure


def f(x, seen=[]):  # noqa: B006
    if x.ndim > 1:
        seen.append(x.shape)
    return x
