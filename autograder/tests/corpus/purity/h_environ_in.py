# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    return x * 2 if "DEBUG" in os.environ else x
