# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


def doubled(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return fn(*args) * 2

    return wrapper


@doubled
def f(x):
    return x + 1
