# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    assert x.ndim == 1, "vector"
    assert x.shape[0] == 3
    return jnp.linalg.norm(x)
