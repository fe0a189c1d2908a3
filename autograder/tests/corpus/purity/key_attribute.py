# impure: leaked-tracer, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Rng:
    def __init__(self):
        self.key = jax.random.key(0)

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


rng = Rng()


@jax.jit
def f(x):
    return x + jax.random.normal(rng.next(), x.shape)
