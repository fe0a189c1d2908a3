# impure: global-mutated
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

seen = []


@jax.jit
def f(x):
    jax.debug.callback(lambda v: seen.append(1), x)
    return x * 2
