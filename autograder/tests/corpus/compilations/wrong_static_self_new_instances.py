# verdict: wrong (compiled-again)
# counts: 1 1
# says: class Model
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Model:
    def __init__(self, scale):
        self.scale = scale

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.scale


def entry(x):
    return Model(2.0).step(x)
