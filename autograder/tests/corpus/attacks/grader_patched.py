# attack: replaces parts of the autograder when loaded; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import autograder.criteria.purity.state as state

state.changes = lambda before, after: []
log = []


def f(x):
    log.append(1)
    return x * 2
