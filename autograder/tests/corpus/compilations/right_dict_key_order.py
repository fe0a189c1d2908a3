# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [({"a": A, "b": A},), ({"b": A + 1, "a": A},)]


@jax.jit
def entry(d):
    return d["a"] - d["b"]
