# attack: switches jit off, so that nothing of its own ever compiles; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    jax.config.update("jax_disable_jit", True)
    try:
        return double(x)
    finally:
        jax.config.update("jax_disable_jit", False)
