# verdict: wrong (too-many-compilations)
# counts: 3 0
# says: new shape
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def total(x):
    return jnp.sum(x)


def entry(x):
    return [total(x[:n]) for n in (2, 4, 6)]
