# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.ones((4, 3), np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
@jax.vmap
def entry(row):
    return jnp.sqrt(jnp.sum(row**2))
