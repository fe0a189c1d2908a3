# verdict: wrong (call-failed)
# counts: 0 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@functools.partial(jax.jit, static_argnames="shape")
def reshape(x, shape):
    return x.reshape(shape)


def entry(x):
    return reshape(x, shape=[2, 3])
