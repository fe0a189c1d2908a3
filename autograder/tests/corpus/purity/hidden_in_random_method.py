# impure
# ruff: noqa


import random

r = random.Random(0).random


def f(x):
    r()
    return 2 * x
