# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if not isinstance(x, (jax.Array, np.ndarray)):
        x = jnp.asarray(x)
    return x * 2
