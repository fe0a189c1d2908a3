# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def collect(parts, x):
    parts.append(x)
    parts[0] = x


def f(x):
    parts = [x]
    if x.ndim > 1:
        collect(parts, x)
    return sum(parts)
