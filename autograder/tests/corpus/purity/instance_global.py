# impure: attribute-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self):
        self.last = None

    def __call__(self, x):
        self.last = 3.0
        return x * 2


model = Model()


def f(x):
    return model(x)
