# verdict: right
# budget: budget=1
# counts: 1 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(9, dtype=np.float32)
CALLS = [(A[:5],), (A[:8],), (A[:3],)]


@jax.jit
def masked_sum(x, mask):
    return jnp.sum(jnp.where(mask, x, 0))


def entry(x):
    n = x.shape[0]
    padded = np.zeros(16, np.float32)
    padded[:n] = x
    return masked_sum(padded, np.arange(16) < n)
