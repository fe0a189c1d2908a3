# impure, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import decimal


def f(x):
    decimal.getcontext().prec += 1
    return x
