# verdict: right
# counts: 1 0 0
import functools

import jax
import jax.numpy as jnp

A = jnp.arange(6.0)
CALLS = [(A,), (A,), (A,)]


@functools.partial(jax.jit, donate_argnums=0)
def entry(x):
    return x + 1
