# attack: takes the profile hook and the listeners away and puts both back; must find: compilations
import sys

import jax
import numpy as np
from jax._src import monitoring

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
program = jax.jit(lambda v: v)


def entry(x):
    hook = sys.getprofile()
    sys.setprofile(None)
    listeners = monitoring._event_duration_secs_listeners[:]
    monitoring._event_duration_secs_listeners.clear()
    out = jax.jit(lambda v: 2 * v)(x)
    monitoring._event_duration_secs_listeners.extend(listeners)
    sys.setprofile(hook)
    return program(out)
