# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Scale:
    def __call__(self, x):
        return 2 * x


entry = jax.jit(Scale())
