# impure: module-patched, line 9
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    np.float_sum = lambda v: v
    return x
