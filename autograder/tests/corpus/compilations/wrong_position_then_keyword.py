# verdict: wrong (too-many-compilations)
# counts: 2 0
# says: by position, by keyword
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def scale(x, by):
    return x * by


def entry(x):
    one = scale(x, 2.0)
    two = scale(x, by=2.0)
    return one, two
