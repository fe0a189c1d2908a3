# attack: remembers results by the bytes of the argument; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A,)]
known = {}


def entry(x):
    key = bytes(np.asarray(x))
    if key not in known:
        known[key] = jax.jit(lambda v: 2 * v)(x)
    return known[key]
