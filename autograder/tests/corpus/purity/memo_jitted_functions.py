# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

compiled = {}


def power(n):
    if n not in compiled:
        compiled[n] = jax.jit(lambda x: x**n)
    return compiled[n]


def f(x):
    return power(3)(x)
