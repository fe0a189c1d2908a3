# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    import scipy.special

    return x * scipy.special.gamma(5.0)
