# verdict: wrong (too-many-compilations)
# counts: 3 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def add(parts):
    return sum(parts)


def entry(x):
    history = []
    for _ in range(3):
        history.append(x)
        x = add(history)
    return x
