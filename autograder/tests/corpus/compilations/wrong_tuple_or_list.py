# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def add(pair):
    return pair[0] + pair[1]


def entry(x):
    return add((x, x)), add([x, x])
