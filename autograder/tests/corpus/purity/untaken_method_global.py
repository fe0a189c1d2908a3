# impure: untaken-mutation
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Counter:
    def __init__(self):
        self.items = []

    def add(self, x):
        if x.ndim > 1:
            self.items.append(x)


COUNTER = Counter()


def f(x):
    COUNTER.add(x)
    return x * 2
