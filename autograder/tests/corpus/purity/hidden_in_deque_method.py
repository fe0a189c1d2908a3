# impure
# ruff: noqa
import collections

ap = collections.deque().append


def f(x):
    ap(1)
    return 2 * x
