# verdict: right
# counts: 1 0 1 0
# lines: 13 - 13 -
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:4],), (A,)]


@jax.jit
def entry(x):
    return jnp.sum(jnp.sin(x))
