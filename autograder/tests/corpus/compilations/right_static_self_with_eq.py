# verdict: right
# counts: 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Scale:
    def __init__(self, by):
        self.by = by

    def __eq__(self, other):
        return self.by == other.by

    def __hash__(self):
        return hash(self.by)

    @functools.partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.by


def entry(x):
    return Scale(2).apply(x)
