# impure: attribute-mutated, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Layer:
    count = 0

    def __init__(self):
        type(self).count += 1
        self.name = f"layer{self.count}"


def f(x):
    return x * len(Layer().name)
