# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jax.lax.cond(x.sum() > 0, lambda v: v, lambda v: -v, x)
