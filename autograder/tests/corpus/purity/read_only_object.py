# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Config:
    def __init__(self):
        self.lr, self.names = 0.1, ["a", "b"]


config = Config()


@jax.jit
def f(x):
    return x - config.lr * x * len(config.names)
