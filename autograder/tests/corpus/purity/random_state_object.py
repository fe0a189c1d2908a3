# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Data:
    def __init__(self):
        self.rng = np.random.RandomState(1)


data = Data()


def f(x):
    return x + data.rng.randn(3)
