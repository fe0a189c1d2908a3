# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Model:
    def __init__(self, scale):
        self.scale = scale
        self.step = jax.jit(self._step)

    def _step(self, x):
        return x * self.scale


def entry(x):
    return Model(2.0).step(x)
