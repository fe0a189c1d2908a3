# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def total(parts):
    return sum(parts.values())


def entry(x):
    return total({"a": x, "b": x}), total({"a": x, "c": x})
