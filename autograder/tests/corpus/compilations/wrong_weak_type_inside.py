# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x, state):
    return state * 0.5 + jnp.sum(x)


def entry(x):
    state = 0.0
    for _ in range(2):
        state = step(x, state)
    return state
