# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    from jax.scipy.special import gammaln
    import math

    return gammaln(x + 1) * math.pi
