# pure


def f(x):
    class Counter:
        total = 0

        def add(self, n):
            if n > 100:
                Counter.total = 0
            self.total = self.total + n
            return self.total

    counter = Counter()
    counter.add(1)
    return x * counter.add(2)
