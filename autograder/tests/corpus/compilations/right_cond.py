# verdict: right
# counts: 1 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (-A,), (A,)]


@jax.jit
def entry(x):
    return jax.lax.cond(jnp.sum(x) > 0, lambda v: v, lambda v: -v, x)
