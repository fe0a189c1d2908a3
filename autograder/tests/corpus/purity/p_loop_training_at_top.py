# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def loss(w):
    return ((w - 1.0) ** 2).sum()


f = jax.jit(jax.grad(loss))
w = jnp.zeros(3)
for _ in range(3):
    w = w - 0.1 * f(w)
