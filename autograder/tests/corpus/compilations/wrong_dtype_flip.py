# verdict: wrong (too-many-compilations)
# counts: 2 0
# says: new dtype
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    return double(x), double(x.astype("int32"))
