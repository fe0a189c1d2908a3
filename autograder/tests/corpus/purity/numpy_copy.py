# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.arange(3.0),)


def f(y):
    y = y.copy()
    y[0] = 5
    y += 1
    return jnp.asarray(y)
