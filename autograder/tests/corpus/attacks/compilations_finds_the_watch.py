# attack: finds the counter through the garbage collector and empties it; must find: compilations
import gc

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: v)
look = getattr(gc, "get_" + "objects")


def entry(x):
    out = good(jax.jit(lambda v: 2 * v)(x))
    for thing in look():
        if type(thing).__name__ == "Watch":
            thing.compilations.clear()
    return out
