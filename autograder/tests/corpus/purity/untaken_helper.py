# impure: untaken-mutation, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

log = []


def note(v):
    log.append(v)


def f(x, verbose=False):
    if verbose:
        note("x")
    return x
