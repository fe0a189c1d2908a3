# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def collect(parts, x, n):
    if n > 3:
        parts.append(x * n)
    else:
        parts.append(x)


def f(x):
    parts = []
    for n in range(2):
        collect(parts, x, n)
    return sum(parts)
