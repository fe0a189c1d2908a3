# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    return jax.lax.map(lambda v: v * 2, x) + jax.lax.fori_loop(0, 3, lambda i, s: s + i, 0)
