# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Parts:
    def __init__(self):
        self.items = []

    def add(self, item):
        if item.ndim > 1:
            self.items.append(item.sum(1))
            self.wide = True
        self.items.append(item)


def f(x):
    parts = Parts()
    parts.add(x)
    return sum(parts.items)
