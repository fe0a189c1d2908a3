# verdict: wrong (too-many-compilations)
# counts: 2 0
# says: outside jit
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def loss(x):
    return jnp.sum(x**2)


def entry(x):
    return jax.value_and_grad(loss)(x)
