# impure: module-patched, line 9
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    jnp.sin = jnp.cos
    return jnp.sin(x)
