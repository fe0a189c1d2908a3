# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
_step = None


def entry(x):
    global _step
    if _step is None:
        _step = jax.jit(lambda v: v + 1)
    return _step(x)
