# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def entry(x):
    @jax.jit
    def local(v):
        return v + 1

    return local(x) * local(x)
