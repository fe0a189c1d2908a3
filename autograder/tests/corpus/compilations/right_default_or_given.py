# verdict: right
# counts: 1 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A, 3), (A + 1, 3)]


@functools.partial(jax.jit, static_argnames="n")
def entry(x, n=2):
    return x**n
