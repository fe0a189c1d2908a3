# attack: replaces parts of the autograder while it runs; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

log = []


def f(x):
    import autograder.criteria.purity.state as state

    state.changes = lambda before, after: []
    log.append(1)
    return x * 2
