# verdict: wrong (eager-code)
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def half(x):
    return x / 2


def entry(x):
    while float(x[1]) > 0.1:
        x = half(x)
    return x
