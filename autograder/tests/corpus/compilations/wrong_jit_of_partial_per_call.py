# verdict: wrong (compiled-again)
# counts: 1 1
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def scale(c, x):
    return c * x


def entry(x):
    return jax.jit(functools.partial(scale, 2.0))(x)
