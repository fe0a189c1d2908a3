# verdict: right
# budget: programs=2
# counts: 2 0 2
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:3],)]


@jax.jit
def start(x):
    return jnp.zeros_like(x), x


@jax.jit
def fit(state):
    return jax.lax.fori_loop(0, 5, lambda _, s: (s[0] + s[1], s[1] * 0.5), state)


def entry(x):
    return fit(start(x))
