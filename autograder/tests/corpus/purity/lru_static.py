# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.lru_cache(maxsize=None)
def offsets(n):
    return tuple(i * 2 for i in range(n))


def f(x):
    return x + jnp.array(offsets(x.shape[0]))
