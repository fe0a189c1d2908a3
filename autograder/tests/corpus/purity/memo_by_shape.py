# impure, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def f(x):
    if x.shape not in cache:
        cache[x.shape] = x * 2
    return cache[x.shape]
