# impure: untaken-mutation
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


LOG = []


def collect(parts, x):
    parts.append(x)


def f(x):
    if x.ndim > 1:
        collect(LOG, x)
    return 2 * x
