# impure: stale-global
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self):
        self.w = 2.0

    def set_w(self, w):
        self.w = w

    def predict(self, x):
        return x * self.w


model = Model()
f = jax.jit(model.predict)
