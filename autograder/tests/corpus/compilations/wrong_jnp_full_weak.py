# verdict: wrong (too-many-compilations)
# counts: 2 0
# says: weak
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x, state):
    return state + x


def entry(x):
    state = jnp.full(x.shape, 0.0)
    for _ in range(3):
        state = step(x, state)
    return state
