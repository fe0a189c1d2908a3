# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.lru_cache
def grid(n):
    return np.linspace(0, 1, n)


@jax.jit
def f(x):
    return x * grid(x.shape[0])
