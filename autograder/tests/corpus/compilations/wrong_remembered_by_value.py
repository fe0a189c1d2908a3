# verdict: wrong (compiled-again)
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A,)]
known = {}


def entry(x):
    key = np.asarray(x).tobytes()
    if key not in known:
        known[key] = jax.jit(lambda v: v * 2)(x)
    return known[key]
