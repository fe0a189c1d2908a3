# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    y = jax.lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 1.1), (0, x))[1]
    return jax.lax.cond(y.sum() > 3, lambda v: v, lambda v: -v, y)
