# verdict: wrong (compiled-again)
# counts: 1 1
# says: by its class's __eq__ and __hash__ it is another one
import functools
from dataclasses import dataclass

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.5), (A + 1, 0.25)]


@dataclass(frozen=True)
class Options:
    rate: float


@functools.partial(jax.jit, static_argnums=1)
def scaled(x, options):
    return x * options.rate


def entry(x, rate):
    return scaled(x, Options(rate))
