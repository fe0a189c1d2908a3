# verdict: right
# counts: 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Model:
    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return 2 * x


entry = Model()
