# ruff: noqa
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp
import re

it = re.finditer("a", "a" * 1000)


@jax.jit
def f(x):
    next(it, None)
    return jnp.sin(x)
