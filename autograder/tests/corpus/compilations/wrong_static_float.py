# verdict: wrong (compiled-again)
# counts: 1 1 1
# says: static value 0.2
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.1), (A, 0.2), (A, 0.3)]


@functools.partial(jax.jit, static_argnums=1)
def entry(x, rate):
    return x - rate * x
