# pure

total = []


def f(x):
    rows = [total for total in (x, 2 * x)]
    if x.ndim > 1:
        rows.append(x)
    return sum(rows)
