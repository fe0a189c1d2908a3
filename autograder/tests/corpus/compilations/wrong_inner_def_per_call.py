# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    @jax.jit
    def scale(v):
        return v / jnp.sum(v)

    return scale(x)
