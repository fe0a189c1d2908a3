# verdict: right
# counts: 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def fast(function):
    jitted = jax.jit(function)

    @functools.wraps(function)
    def wrapper(*args):
        return jitted(*args)

    return wrapper


@fast
def entry(x):
    return 2 * x
