# pure

RESULTS = []


def f(x):
    out = RESULTS
    n = len(out)
    out = []
    if x.size > 10:
        out.append(x)
    return x + n + len(out)
