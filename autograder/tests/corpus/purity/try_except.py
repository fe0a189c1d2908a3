# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    try:
        n = {"a": 1}["b"]
    except KeyError:
        n = 2
    return x * n
