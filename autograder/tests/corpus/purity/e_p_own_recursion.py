# pure


def f(x, parts=None):
    if parts is None:
        parts = []
    if x.size > 100:
        parts.append(x[:100])
        return f(x[100:], parts)
    return x * (1 + len(parts))
