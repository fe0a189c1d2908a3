# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x, n=3):
    if isinstance(n, jax.core.Tracer):
        raise TypeError("n must be static")
    return x * n
