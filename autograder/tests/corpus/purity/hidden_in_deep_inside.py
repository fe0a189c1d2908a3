# impure
# ruff: noqa
import jax
import jax.numpy as jnp

deep = [0]
for _ in range(60):
    deep = [deep]


@jax.jit
def f(x):
    d = deep
    while isinstance(d[0], list):
        d = d[0]
    d[0] += 1
    return jnp.sin(x)
