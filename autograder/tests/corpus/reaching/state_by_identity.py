# ruff: noqa
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp

M = 10**20
box = [M]


@jax.jit
def f(x):
    if box[0] is M:
        box[0] = M + 1 - 1
    return jnp.sin(x)
