# verdict: right
# counts: 1 0 1
import functools

import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, jnp.sin), (A + 1, jnp.sin), (A, jnp.cos)]


@functools.partial(jax.jit, static_argnums=1)
def entry(x, function):
    return function(x)
