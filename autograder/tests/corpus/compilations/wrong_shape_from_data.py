# verdict: wrong (compiled-again)
# counts: 1 1 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A + 2,)]


@jax.jit
def mean(x):
    return jnp.mean(x)


def entry(x):
    return mean(np.asarray(x)[np.asarray(x) > 2])
