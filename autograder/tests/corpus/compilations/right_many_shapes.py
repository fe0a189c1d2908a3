# verdict: right
# counts: 1 1 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A[:4],), (A[:2],), (A[2:],)]


@jax.jit
def entry(x):
    return jnp.cumsum(x)
