# impure: attribute-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self):
        self.steps = 0

    def step(self, x):
        self.steps += 1
        return x * 2


model = Model()
f = model.step
