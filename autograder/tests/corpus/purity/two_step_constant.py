# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

n = 3
n = n * 2
weights = jnp.ones(3) * n


def f(x):
    return x @ weights
