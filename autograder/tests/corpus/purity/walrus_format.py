# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if (n := x.shape[0]) > 2:
        name = f"n={n:>3}"
    else:
        name = ""
    return x * len(name)
