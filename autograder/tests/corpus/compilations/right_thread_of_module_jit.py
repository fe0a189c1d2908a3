# verdict: right
# counts: 1 0
import threading

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    out = []
    worker = threading.Thread(target=lambda: out.append(double(x)))
    worker.start()
    worker.join()
    return out[0]
