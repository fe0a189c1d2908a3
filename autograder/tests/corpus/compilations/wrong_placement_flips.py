# verdict: wrong (compiled-again)
# counts: 1 1 0
# says: sharding
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]
seen = []


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    seen.append(1)
    return double(jax.device_put(x, jax.devices()[0]) if len(seen) % 2 else x)
