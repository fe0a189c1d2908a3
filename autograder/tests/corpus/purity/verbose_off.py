# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x, verbose=False):
    if verbose:
        print("x", x)
    return x * 2
