# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if x.ndim != 1:
        raise ValueError(f"need a vector, got {x.shape}")
    return x * 2
