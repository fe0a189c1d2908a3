# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import warnings


def f(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x * 2
