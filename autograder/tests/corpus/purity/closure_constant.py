# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def make(scale):
    def g(x):
        return x * scale

    return jax.jit(g)


f = make(3.0)
