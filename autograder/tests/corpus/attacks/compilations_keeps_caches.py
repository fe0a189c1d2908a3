# attack: makes clear_caches do nothing, to keep what it compiled before; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
jax.clear_caches = lambda: None
double = jax.jit(lambda v: 2 * v)
double(A)


def entry(x):
    return double(x)
