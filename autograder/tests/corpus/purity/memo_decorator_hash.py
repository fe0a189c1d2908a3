# impure, line 14
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def memo(fn):
    cache = {}

    def wrapper(x):
        key = x.shape, str(x.dtype)
        if key not in cache:
            cache[key] = fn(x)
        return cache[key]

    return wrapper


@memo
def f(x):
    return x**2
