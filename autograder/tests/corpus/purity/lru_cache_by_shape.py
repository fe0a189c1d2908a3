# impure: array-memoised, line 23
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


class Arg:
    def __init__(self, v):
        self.v = v

    def __hash__(self):
        return hash(self.v.shape)

    def __eq__(self, other):
        return self.v.shape == other.v.shape


@functools.lru_cache
def double(a):
    return np.asarray(a.v) * 2


def f(x):
    return double(Arg(x))
