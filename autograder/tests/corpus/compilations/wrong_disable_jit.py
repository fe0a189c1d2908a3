# verdict: wrong (jit-disabled)
# counts: 0 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    with jax.disable_jit():
        return double(x)
