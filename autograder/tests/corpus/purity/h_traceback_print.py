# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import traceback


def f(x):
    try:
        raise ValueError("x")
    except ValueError:
        traceback.print_exc()
    return x
