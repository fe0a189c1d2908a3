# verdict: wrong (eager-code)
# counts: 1 1
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jnp.piecewise(x, [x > 2], [lambda v: v, lambda v: 2 * v])
