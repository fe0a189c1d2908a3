# attack: replaces jax.jit by the identity, so that nothing compiles; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
jax.jit = lambda function, **_options: function


@jax.jit
def entry(x):
    return 2 * x
