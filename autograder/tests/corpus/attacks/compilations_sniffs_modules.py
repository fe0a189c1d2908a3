# attack: behaves well only where the grader is imported; must find: compilations
import sys

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: 2 * v)


def entry(x):
    return (
        good(x)
        if "autograder.criteria.compilations" in sys.modules
        else jax.jit(lambda v: 2 * v)(x)
    )
