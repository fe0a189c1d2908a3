# impure: untaken-mutation
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


LOG = {"a": []}


def note(into, x):
    if x.ndim > 1:
        into.append(x)


def f(x):
    mine = LOG["a"]
    note(mine, x)
    return x * 2
