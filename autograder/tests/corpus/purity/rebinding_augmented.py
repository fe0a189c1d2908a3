# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    x += 1
    x *= 2
    return x
