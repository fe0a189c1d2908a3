# impure: leaked-tracer, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

slots = np.empty(2, dtype=object)


@jax.jit
def f(x):
    slots[0] = x * 2
    return x
