# impure
# ruff: noqa
import jax
import jax.numpy as jnp

pad = list(range(30000))
late = [0]


@jax.jit
def f(x):
    late[0] += 1
    return jnp.sin(x)
