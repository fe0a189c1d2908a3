# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
events = []
jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: events.append(name))


@jax.jit
def entry(x):
    return 2 * x
