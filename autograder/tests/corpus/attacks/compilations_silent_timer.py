# attack: makes JAX's own timer report nothing during the call; must find: compilations
import jax
import numpy as np
from jax._src import dispatch

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
timer = dispatch.LogElapsedTimeContextManager


def entry(x):
    report = timer.__exit__
    timer.__exit__ = lambda *_: None
    try:
        return jax.jit(lambda v: 2 * v)(x)
    finally:
        timer.__exit__ = report
