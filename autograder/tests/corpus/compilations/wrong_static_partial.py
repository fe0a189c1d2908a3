# verdict: wrong (compiled-again)
# counts: 1 1
import functools

import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@functools.partial(jax.jit, static_argnums=0)
def apply(function, x):
    return function(x)


def entry(x):
    return apply(functools.partial(jnp.sum, axis=0), x)
