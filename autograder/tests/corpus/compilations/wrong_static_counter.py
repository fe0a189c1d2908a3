# verdict: wrong (compiled-again)
# counts: 1 1 1
import functools
import itertools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]
iteration = itertools.count()


@functools.partial(jax.jit, static_argnames="i")
def step(x, i):
    return x / (i + 1)


def entry(x):
    return step(x, i=next(iteration))
