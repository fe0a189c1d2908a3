# verdict: right
# counts: 1 0
import dataclasses
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@dataclasses.dataclass(frozen=True)
class Options:
    n: int


@functools.partial(jax.jit, static_argnums=1)
def power(x, options):
    return x**options.n


def entry(x):
    return power(x, Options(2))
