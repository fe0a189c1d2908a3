# verdict: wrong (eager-code)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jax.lax.map(lambda v: v * 2 + 1, x)
