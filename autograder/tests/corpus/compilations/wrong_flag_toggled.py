# verdict: wrong (too-many-compilations)
# counts: 2 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@functools.partial(jax.jit, static_argnames="negate")
def worker(x, negate):
    return -x if negate else x


def entry(x):
    return worker(worker(x, negate=True), negate=False)
