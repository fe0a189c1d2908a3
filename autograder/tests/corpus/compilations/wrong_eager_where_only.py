# verdict: wrong (eager-code)
# counts: 0 0
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
B = A > 2
CALLS = [(B, A, A), (B, A + 1, A)]


def entry(mask, x, y):
    return jnp.where(mask, x, y)
