# impure: leaked-tracer, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

last = None


@jax.jit
def f(x):
    global last
    last = x * 2
    return x + 1
