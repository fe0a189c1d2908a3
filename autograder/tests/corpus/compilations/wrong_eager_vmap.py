# verdict: wrong (eager-code)
# counts: 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.ones((4, 3), np.float32)
CALLS = [(A,), (A + 1,)]


def norm(row):
    return jnp.sqrt(jnp.sum(row**2))


def entry(x):
    return jax.vmap(norm)(x)
