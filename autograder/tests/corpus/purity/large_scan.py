# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    def step(c, _):
        c = jnp.tanh(c * 1.01 + 0.1)
        return c, c.sum()

    return jax.lax.scan(step, x, None, length=3000)
