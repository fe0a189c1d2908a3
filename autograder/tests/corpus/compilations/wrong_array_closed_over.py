# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jax.jit(lambda b: x * b)(2.0)
