# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    for i in {0, 1, 2}:
        x = x * 2 + i
    return x
