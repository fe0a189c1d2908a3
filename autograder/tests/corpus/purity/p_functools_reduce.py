# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools, operator


def f(x):
    return functools.reduce(operator.mul, [x, x + 1, x + 2])
