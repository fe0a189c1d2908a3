# impure


def make():
    calls = []

    def f(x):
        if x.ndim > 1:
            calls.append(x.shape)
        return x

    return f


f = make()
