# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.float32(100)
CALLS = [(A,), (A + 1,)]


@jax.jit
def entry(x):
    return jax.lax.while_loop(lambda v: v > 1, lambda v: v / 2, x)
