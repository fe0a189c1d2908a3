# impure, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    return x * (os.getpid() % 2)
