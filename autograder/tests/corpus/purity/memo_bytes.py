# impure, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def f(x):
    key = np.asarray(x).tobytes()
    if key not in cache:
        cache[key] = x * 2
    return cache[key]
