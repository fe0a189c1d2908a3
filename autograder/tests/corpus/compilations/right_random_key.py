# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp

CALLS = [(jax.random.key(0),), (jax.random.key(1),)]


@jax.jit
def entry(key):
    return jax.random.normal(key, (3,), jnp.float32)
