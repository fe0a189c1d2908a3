# impure: random-state, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import secrets


def f(x):
    return x * secrets.randbelow(10)
