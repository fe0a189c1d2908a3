# attack: replaces the function that reports events; must find: compilations
import jax
import numpy as np
from jax._src import dispatch, monitoring

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def silent(*_args, **_kwargs):
    pass


for owner in (jax.monitoring, monitoring, dispatch):
    owner.record_event_duration_secs = silent


def entry(x):
    return jax.jit(lambda v: 2 * v)(x)
