# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]

entry = jax.jit(lambda x: x - 1)
