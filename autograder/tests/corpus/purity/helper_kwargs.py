# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def note(x, *, into):
    if x.ndim > 1:
        into.append(x)


def f(x):
    seen = []
    note(x, into=seen)
    return x * (1 + len(seen))
