# verdict: wrong (no-program)
# counts: 0 0
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return np.sum(np.asarray(x) ** 2)
