# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    key = jax.random.key(42)
    return x + jax.random.normal(key, x.shape)
