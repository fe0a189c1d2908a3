# verdict: wrong (eager-code)
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def loss(x):
    return jnp.sum(jnp.cos(x))


jitted = jax.jit(loss)


def entry(x):
    jitted(x)
    return loss(x)
