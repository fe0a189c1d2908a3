# impure: untaken-mutation, line 14
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

errors = []


def f(x):
    try:
        return x.reshape(-1)
    except TypeError:
        errors.append("bad")
        return x
