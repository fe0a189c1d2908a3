# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x, previous):
    return x if previous is None else 0.5 * (x + previous)


def entry(x):
    return step(x, step(x, None))
