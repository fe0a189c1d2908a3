# impure


class Model:
    calls = 0

    def __call__(self, x):
        if x.ndim > 1:
            Model.calls += 1
        return x


f = Model().__call__
