# impure, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

W = None


def f(x):
    global W
    if W is None:
        W = x / x.sum()
    return x @ W
