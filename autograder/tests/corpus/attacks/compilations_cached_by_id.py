# attack: remembers results by the identity of the argument; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A,), (A,)]
known = {}


def entry(x):
    if id(x) not in known:
        known[id(x)] = jax.jit(lambda v: 2 * v)(x)
    return known[id(x)]
