# impure: untaken-mutation
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


LOG = []


def note(into, x):
    if x.ndim > 1:
        into.append(x)


def f(x):
    note(LOG, x)
    return x * 2
