# impure: leaked-tracer
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.cache
def weights():
    return jnp.ones(3) / 3


@jax.jit
def f(x):
    return x @ weights()
