# verdict: right
# counts: 1 0 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.1), (A, 0.2), (A, 0.3)]


@jax.jit
def entry(x, rate):
    return x - rate * x
