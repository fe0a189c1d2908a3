# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def entry(x):
    return jax.jit(jax.grad(lambda v: jnp.sum(v**3)))(x)
