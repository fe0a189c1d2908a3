# attack: removes every monitoring listener, then compiles; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    jax.monitoring.clear_event_listeners()
    return jax.jit(lambda v: 2 * v)(x)
