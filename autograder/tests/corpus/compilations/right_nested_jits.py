# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def inner(x):
    return x * x


@jax.jit
def entry(x):
    return inner(x) + inner(2 * x)
