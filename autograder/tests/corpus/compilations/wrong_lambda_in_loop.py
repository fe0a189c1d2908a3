# verdict: wrong (too-many-compilations)
# counts: 3 3
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    for power in (1, 2, 3):
        x = jax.jit(lambda v: v**power)(x)  # noqa: B023
    return x
