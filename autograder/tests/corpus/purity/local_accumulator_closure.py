# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v

    for i in range(3):
        add(x[i])
    return total
