# attack: leaves by SystemExit before anything is compiled; must find: compilations
import sys

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    sys.exit(0)
    return double(x)
