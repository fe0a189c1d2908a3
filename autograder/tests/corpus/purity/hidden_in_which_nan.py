# impure
# ruff: noqa
import jax
import jax.numpy as jnp

N = float("nan")
box = [N]


@jax.jit
def f(x):
    box[0] = float("nan") if N in box else N
    return jnp.sin(x)
