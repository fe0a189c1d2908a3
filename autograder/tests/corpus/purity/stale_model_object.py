# impure: stale-global
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    def fit(self, y):
        self.w = y


model = Model()


@jax.jit
def f(x):
    return x @ model.w
