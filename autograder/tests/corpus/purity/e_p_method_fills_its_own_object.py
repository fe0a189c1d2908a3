# pure


class Builder:
    def __init__(self):
        self.terms = []
        self.count = 0

    def add(self, term):
        if term.ndim > 1:
            self.terms.append(term.sum(axis=0))
            self.count += 1
        else:
            self.terms.append(term)
        return self

    def total(self):
        return sum(self.terms)


def f(x):
    return Builder().add(x).add(2 * x).total()
