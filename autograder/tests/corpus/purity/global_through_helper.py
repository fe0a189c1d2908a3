# impure: global-mutated, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

log = []


def note(v):
    log.append(v)


def f(x):
    note("called")
    return x.sum()
