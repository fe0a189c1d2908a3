# verdict: wrong (compiled-again)
# counts: 1 1
import threading

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    out = []
    worker = threading.Thread(target=lambda: out.append(jax.jit(lambda v: v * 5)(x)))
    worker.start()
    worker.join()
    return out[0]
