# pure


def collect(x, found):
    if x.size > 5:
        found.append(x[:5])
        collect(x[5:], found)
    return found


def f(x):
    return x * (1 + len(collect(x, [])))
