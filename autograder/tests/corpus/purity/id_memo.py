# impure, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def f(x):
    return cache.setdefault(id(x), x * 2)
