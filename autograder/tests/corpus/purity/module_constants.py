# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

RATE = 0.1
TABLE = np.arange(3)
NAMES = ("a", "b")


def f(x):
    return x * RATE + TABLE * len(NAMES)
