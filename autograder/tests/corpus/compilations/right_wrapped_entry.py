# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def _normalize(x):
    return x / jnp.sum(x)


def entry(x):
    if x.ndim != 1:
        raise ValueError("one axis expected")
    return _normalize(x)
