# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


def g(k, x):
    return x * k


f = functools.partial(g, 3.0)
