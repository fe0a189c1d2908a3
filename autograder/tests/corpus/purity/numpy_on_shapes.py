# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    n = int(np.prod(x.shape))
    return x.reshape(n) / np.sqrt(n)
