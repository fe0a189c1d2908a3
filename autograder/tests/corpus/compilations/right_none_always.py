# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, None), (A + 1, None)]


@jax.jit
def entry(x, previous):
    return x if previous is None else x + previous
