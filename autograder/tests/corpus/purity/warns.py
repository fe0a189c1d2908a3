# impure: warns, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import warnings


def f(x):
    if x.shape[0] < 10:
        warnings.warn("few points")
    return x * 2
