# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def inner(x):
    return x * 2


@jax.jit
def f(x):
    return inner(inner(x))
