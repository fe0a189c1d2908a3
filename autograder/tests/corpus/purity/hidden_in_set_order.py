# impure
# ruff: noqa
import jax
import jax.numpy as jnp

seen = {0, 8}


@jax.jit
def f(x):
    first, second = seen
    seen.clear()
    seen.add(second)
    seen.add(first)
    return jnp.sin(x)
