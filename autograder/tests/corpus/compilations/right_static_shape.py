# verdict: right
# counts: 1 0 1
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, (2, 3)), (A + 1, (2, 3)), (A, (3, 2))]


@functools.partial(jax.jit, static_argnums=1)
def entry(x, shape):
    return x.reshape(shape)
