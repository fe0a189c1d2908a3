# impure: stale-global, line 17
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def make():
    scale = 1.0

    def set_scale(v):
        nonlocal scale
        scale = v

    @jax.jit
    def g(x):
        return x * scale

    return g, set_scale


f, set_scale = make()
