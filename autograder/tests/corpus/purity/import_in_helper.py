# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def helper(x):
    import decimal, fractions, unittest.mock, scipy.stats

    return x * float(fractions.Fraction(1, 2))


def f(x):
    return jax.jit(helper)(x)
