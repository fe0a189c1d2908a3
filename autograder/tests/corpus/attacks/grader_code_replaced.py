# attack: swaps the code of the autograder's functions; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import autograder.criteria.purity.state as state

state.changes.__code__ = (lambda before, after: []).__code__
log = []


def f(x):
    log.append(1)
    return x * 2
