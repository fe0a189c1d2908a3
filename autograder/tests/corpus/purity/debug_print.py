# impure: debug-print
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    jax.debug.print("x = {}", x)
    return x * 2
