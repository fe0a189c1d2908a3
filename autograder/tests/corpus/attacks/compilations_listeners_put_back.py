# attack: empties the list of listeners and refills it after compiling; must find: compilations
import jax
import numpy as np
from jax._src import monitoring

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
listeners = getattr(monitoring, "_event_dur" + "ation_secs_listeners")


def entry(x):
    kept = listeners[:]
    listeners.clear()
    out = jax.jit(lambda v: 2 * v)(x)
    listeners.extend(kept)
    return out
