# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import warnings


def f(x):
    if x.shape[0] > 1000:
        warnings.warn("large")
    return x * 2
