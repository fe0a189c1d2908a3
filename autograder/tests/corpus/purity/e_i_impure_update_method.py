# impure
class Adam:
    def __init__(self):
        self.steps = 0

    def update(self, gradient):
        self.steps += 1
        return gradient


adam = Adam()


def f(x):
    if x.ndim > 1:
        return adam.update(x).sum(0)
    return x
