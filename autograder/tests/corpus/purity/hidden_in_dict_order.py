# impure
# ruff: noqa
import jax
import jax.numpy as jnp

d = {"a": 1, "b": 2}


@jax.jit
def f(x):
    k = next(iter(d))
    d[k] = d.pop(k)
    return jnp.sin(x)
