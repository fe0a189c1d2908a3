# verdict: wrong (compiled-again)
# counts: 1 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]


def steps():
    while True:
        yield jax.jit(lambda v: v + 1)


programs = steps()


def entry(x):
    return next(programs)(x)
