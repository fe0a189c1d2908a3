# verdict: wrong (compiled-again)
# counts: 1 1
import dataclasses

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def half(state):
    return jax.tree.map(lambda leaf: leaf / 2, state).x


def entry(x):
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class State:
        x: jax.Array

    return half(State(x))
