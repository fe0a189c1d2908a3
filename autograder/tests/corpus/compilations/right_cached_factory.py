# verdict: right
# counts: 1 0 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 2), (A + 1, 2), (A, 3), (A, 3)]


@functools.lru_cache
def make_power(n):
    return jax.jit(lambda x: x**n)


def entry(x, n):
    return make_power(n)(x)
