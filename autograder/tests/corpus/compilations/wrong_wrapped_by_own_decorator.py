# verdict: wrong (compiled-again)
# counts: 1 1
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def fast(function):
    @functools.wraps(function)
    def wrapper(*args):
        return jax.jit(lambda *a: function(*a))(*args)

    return wrapper


@fast
def entry(x):
    return x * 2
