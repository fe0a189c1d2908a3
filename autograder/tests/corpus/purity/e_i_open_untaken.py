# impure


def f(x):
    if x.ndim > 1:
        open("log.txt", "w").write("x")  # noqa: SIM115
    return x
