# impure: attribute-mutated, line 14
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Data:
    def __init__(self):
        self._reads = 0

    @property
    def scale(self):
        self._reads += 1
        return 2.0


data = Data()


def f(x):
    return x * data.scale
