# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import collections, itertools


def f(x):
    c = collections.Counter("abca")
    ids = itertools.count()
    return x * c["a"] + next(ids)
