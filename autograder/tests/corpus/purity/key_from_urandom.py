# impure: random-state, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    seed = int.from_bytes(os.urandom(4), "little")
    return x + jax.random.normal(jax.random.key(seed), x.shape)
