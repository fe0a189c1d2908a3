# attack: the same through names put together at run time; must find: compilations
import sys

import jax
import numpy as np
from jax._src import monitoring

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
program = jax.jit(lambda v: v)
get, put = (getattr(sys, word + "profile") for word in ("get", "set"))
listeners = getattr(monitoring, "_event_dur" + "ation_secs_listeners")


def entry(x):
    hook = get()
    put(None)
    kept = listeners[:]
    listeners.clear()
    out = jax.jit(lambda v: 2 * v)(x)
    listeners.extend(kept)
    put(hook)
    return program(out)
