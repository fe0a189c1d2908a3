# verdict: right
# budget: dispatches=10
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x):
    return x * 0.5, jnp.max(x) > 1


def entry(x):
    more = True
    while more:
        x, more = step(x)
    return x
