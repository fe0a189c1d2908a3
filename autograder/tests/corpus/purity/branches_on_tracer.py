# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if x.sum() > 0:
        return x
    return -x
