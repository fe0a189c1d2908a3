# pure


class Scope:
    def __init__(self, names):
        self.names = names

    def __enter__(self):
        self.names.append("in")
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None:
            self.names.append("failed")
        self.names.pop()


def f(x):
    names = []
    with Scope(names):
        y = 2 * x
    return y + len(names)
