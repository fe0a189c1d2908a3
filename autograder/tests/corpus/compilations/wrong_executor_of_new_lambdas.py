# verdict: wrong (too-many-compilations)
# counts: 2 2
from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
pool = ThreadPoolExecutor(1)


def entry(x):
    jobs = [pool.submit(jax.jit(lambda v, k=k: v * k), x) for k in (2, 3)]
    return [job.result() for job in jobs]
