# verdict: wrong (eager-code)
# counts: 0 0
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jnp.sum(jnp.sin(x) ** 2)
