# attack: behaves well only when the grader is on the stack; must find: compilations
import inspect

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: 2 * v)


def entry(x):
    graded = any("compilations" in frame.filename for frame in inspect.stack())
    return good(x) if graded else jax.jit(lambda v: 2 * v)(x)
