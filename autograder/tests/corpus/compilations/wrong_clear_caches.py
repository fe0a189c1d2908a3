# verdict: wrong (compiled-again)
# counts: 1 1
# says: jax.clear_caches() was called
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    jax.clear_caches()
    return double(x)
