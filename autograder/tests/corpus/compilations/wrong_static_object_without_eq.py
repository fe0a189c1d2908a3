# verdict: wrong (compiled-again)
# counts: 1 1
# says: compared by identity
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Options:
    def __init__(self, n):
        self.n = n


@functools.partial(jax.jit, static_argnums=1)
def power(x, options):
    return x**options.n


def entry(x):
    return power(x, Options(2))
