# verdict: right
# counts: 1 0 1
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:3],)]


@functools.partial(jax.jit, static_argnames="n")
def power(x, n):
    return x**n


entry = functools.partial(power, n=3)
