# attack: climbs the stack from a traceback, which no audit sees; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: 2 * v)


def entry(x):
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    while frame.f_back:
        frame = frame.f_back
        if "count" in frame.f_code.co_name:
            return good(x)
    return jax.jit(lambda v: 2 * v)(x)
