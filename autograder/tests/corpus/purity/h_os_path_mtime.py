# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    return x * (os.path.getmtime("/") % 7)
