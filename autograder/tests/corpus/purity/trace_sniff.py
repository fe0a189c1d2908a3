# impure: jit-differs
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if isinstance(x, jax.core.Tracer):
        return x * 2
    return x * 3
