# impure, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x, cache={}):
    key = id(x)
    if key not in cache:
        cache[key] = x * 2
    return cache[key]
