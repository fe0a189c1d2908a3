# verdict: right
# counts: 1 0
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class State(NamedTuple):
    x: jax.Array
    n: jax.Array


@jax.jit
def entry(x):
    def body(state, _):
        return State(state.x * 0.5, state.n + 1), None

    return jax.lax.scan(body, State(x, jnp.int32(0)), None, length=4)[0]
