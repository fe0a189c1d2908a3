# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def scale(x, by):
    return x * by


def entry(x):
    return scale(x, 1), scale(x, 1.0)
