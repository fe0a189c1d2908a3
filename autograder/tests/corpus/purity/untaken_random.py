# impure: untaken-mutation, line 10
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x, noise=False):
    if noise:
        x = x + np.random.normal(size=3)
    return x
