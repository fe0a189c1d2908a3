# impure: jax-config-changed, line 9
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    jax.config.update("jax_enable_x64", True)
    return x * 2
