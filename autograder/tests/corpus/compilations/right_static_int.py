# verdict: right
# counts: 1 1 0 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 2), (A, 3), (A + 1, 3), (A, 2)]


@functools.partial(jax.jit, static_argnums=1)
def entry(x, n):
    return sum(x**i for i in range(n))
