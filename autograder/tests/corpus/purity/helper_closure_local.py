# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    parts = [x]

    def add(value):
        if value.ndim > 1:
            parts.append(value.sum(1))

    add(x)
    return sum(parts)
