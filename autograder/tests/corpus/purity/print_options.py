# impure, line 9
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    np.set_printoptions(precision=3)
    return x
