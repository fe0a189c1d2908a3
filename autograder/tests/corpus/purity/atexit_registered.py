# impure: deferred-call, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import atexit


def f(x):
    atexit.register(lambda: None)
    return x
