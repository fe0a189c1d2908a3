# verdict: wrong (many-programs-run)
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x):
    return x * 0.5 + 1.0


def entry(x):
    for _ in range(20):
        x = step(x)
    return x
