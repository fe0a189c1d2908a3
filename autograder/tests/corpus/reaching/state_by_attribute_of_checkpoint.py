# ruff: noqa
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


@jax.checkpoint
def g(x=1):
    yield


@jax.jit
def f(x):
    g.n += 1
    return jnp.sin(x)


g.n = 0
