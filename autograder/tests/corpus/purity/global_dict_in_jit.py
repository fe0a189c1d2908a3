# impure: global-mutated, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

stats = {"n": 0}


@jax.jit
def f(x):
    stats["n"] += 1
    return x + 1
