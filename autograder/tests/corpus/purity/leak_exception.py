# impure: leaked-tracer, line 14
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Stop(Exception):
    last = None


@jax.jit
def f(x):
    Stop.last = Stop(x * 2)
    return x
