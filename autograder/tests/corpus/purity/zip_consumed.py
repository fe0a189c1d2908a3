# impure: iterator-advanced, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

pairs = zip(range(50), range(50))


def f(x):
    for a, b in pairs:
        x = x + a
    return x
