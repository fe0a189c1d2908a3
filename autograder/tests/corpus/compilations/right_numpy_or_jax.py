# verdict: right
# counts: 1 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (jnp.arange(6, dtype=jnp.float32),), (A,)]


@jax.jit
def entry(x):
    return 2 * x
