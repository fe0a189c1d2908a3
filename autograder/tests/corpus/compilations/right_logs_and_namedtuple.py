# verdict: right
# counts: 1 0
import collections
import logging

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def _double(x):
    return 2 * x


def entry(x):
    logging.getLogger(__name__).info("called")
    Result = collections.namedtuple("Result", "value")
    return Result(_double(x)).value
