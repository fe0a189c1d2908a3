# verdict: wrong (compiled-again)
# counts: 1 1 1
# lines: 12 12 12
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]


def entry(x):
    return jax.jit(lambda v: v * 3)(x)
