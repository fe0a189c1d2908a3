# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    class Acc:
        def __init__(self):
            self.total = 0.0

        def add(self, v):
            self.total = self.total + v

    a = Acc()
    for i in range(3):
        a.add(x[i])
    return a.total
