# impure, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import uuid


def f(x):
    seed = uuid.uuid4().int % 1000
    return x * seed
