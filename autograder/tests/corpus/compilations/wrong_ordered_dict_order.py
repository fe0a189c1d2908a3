# verdict: wrong (compiled-again)
# counts: 1 1 0
from collections import OrderedDict
from itertools import cycle

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]
orders = cycle(["ab", "ba"])


@jax.jit
def add(parts):
    return parts["a"] + parts["b"]


def entry(x):
    return add(OrderedDict((key, x) for key in next(orders)))
