# attack: edits the counter's own class during the call; must find: compilations
import sys

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: v)


def entry(x):
    watch = sys.modules["auto" + "grader.compilations.watch"].Watch
    kept = watch._compiled
    watch._compiled = lambda *_: None
    try:
        return good(jax.jit(lambda v: 2 * v)(x))
    finally:
        watch._compiled = kept
