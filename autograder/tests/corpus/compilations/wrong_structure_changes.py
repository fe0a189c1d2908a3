# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(state):
    return {**state, "m": state["x"] * 0.1}


def entry(x):
    state = {"x": x}
    for _ in range(3):
        state = step(state)
    return state
