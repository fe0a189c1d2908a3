# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Parts:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)
        self.last = item


def f(x):
    parts = Parts()
    if x.ndim > 1:
        parts.add(x)
    return x * (1 + len(parts.items))
