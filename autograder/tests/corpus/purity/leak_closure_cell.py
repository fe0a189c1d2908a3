# impure: leaked-tracer, line 14
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def make():
    kept = None

    @jax.jit
    def g(x):
        nonlocal kept
        kept = x + 1
        return x * 2

    return g


f = make()
