# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Model:
    def step(self, x):
        return 2 * x


model = Model()
step = model.step


def entry(x):
    return jax.jit(step)(x)
