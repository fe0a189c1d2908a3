# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


class Data:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def size(self):
        return self.n * 2


def arguments():
    return (Data(3), jnp.ones(3))


def f(d, x):
    return x * d.size
