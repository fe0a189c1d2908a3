# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def each(function, items):
    return [function(item) for item in items]


def f(x):
    found = []
    each(lambda row: found.append(row) if row.ndim > 1 else None, [x])
    return x + len(found)
