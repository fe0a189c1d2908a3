# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def inner(parts, x):
    if x.ndim > 1:
        parts["wide"] = x
    return x


def outer(parts, x):
    return inner(parts, x)


def f(x):
    parts = {}
    return outer(parts, x) + len(parts)
