# impure, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import warnings


def f(x):
    warnings.filterwarnings("ignore", message="never seen")
    return x
