# verdict: wrong (eager-code)
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.ones(6, np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def total(x):
    return jnp.sum(x)


def entry(x):
    return total(x) / x.size
