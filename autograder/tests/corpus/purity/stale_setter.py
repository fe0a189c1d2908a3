# impure: stale-global, line 17
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

scale = 2.0


def set_scale(v):
    global scale
    scale = v


@jax.jit
def f(x):
    return x * scale
