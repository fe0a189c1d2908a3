# impure: stale-global, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

scale = 2.0


@jax.jit
def f(x):
    return x * scale


f(jnp.ones(3))
scale = 3.0
