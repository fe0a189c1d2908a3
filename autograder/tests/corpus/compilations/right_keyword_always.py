# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def _scale(x, *, by):
    return x * by


def entry(x):
    return _scale(x, by=2.0)
