# impure: host-callback, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

from jax.experimental import io_callback


def f(x):
    io_callback(lambda v: None, None, x)
    return x
