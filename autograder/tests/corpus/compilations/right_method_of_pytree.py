# verdict: right
# counts: 1 0
import dataclasses

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Model:
    scale: jax.Array

    @jax.jit
    def step(self, x):
        return x * self.scale


def entry(x):
    return Model(np.float32(2)).step(x)
