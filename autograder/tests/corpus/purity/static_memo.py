# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

shapes = {}


def f(x):
    n = x.shape[0]
    if n not in shapes:
        shapes[n] = np.arange(n)
    return x * shapes[n]
