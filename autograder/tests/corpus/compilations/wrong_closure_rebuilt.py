# verdict: wrong (compiled-again)
# counts: 1 1
# says: closed over
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.1), (A, 0.2)]


def make_step(rate):
    @jax.jit
    def step(x):
        return x - rate * x

    return step


def entry(x, rate):
    return make_step(rate)(x)
