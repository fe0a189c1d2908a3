# verdict: wrong (eager-code)
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def noisy(x, key):
    return x + jax.random.normal(key, x.shape, jnp.float32)


def entry(x):
    return noisy(x, jax.random.split(jax.random.key(0))[0])
