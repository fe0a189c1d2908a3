# impure
# ruff: noqa


from operator import methodcaller


def keep(l):
    pass


class K:
    def take(self, l):
        l.append(1)


g = methodcaller("take", [])
k = K()


def f(x):
    g(k)
    return 2 * x
