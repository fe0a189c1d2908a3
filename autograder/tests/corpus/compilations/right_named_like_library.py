# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def where(x):
    return jnp.where(x > 2, x, 0)


entry = where
