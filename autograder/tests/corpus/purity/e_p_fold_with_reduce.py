# pure

import functools


def step(acc, v):
    if v > 100:
        acc.append(v)
    acc.append(v + 1)
    return acc


def f(x):
    return x * len(functools.reduce(step, [1, 2, 3], []))
