# pure


class Adam:
    def __init__(self, rate):
        self.rate = rate

    def update(self, gradient):
        return self.rate * gradient


adam = Adam(0.1)


def f(x):
    if x.ndim > 1:
        return adam.update(x).sum(0)
    return x
