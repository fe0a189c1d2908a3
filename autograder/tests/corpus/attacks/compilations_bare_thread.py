# attack: compiles in a thread started below the threading module; must find: compilations
import _thread

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    out, done = [], _thread.allocate_lock()
    done.acquire()

    def work():
        out.append(jax.jit(lambda v: 2 * v)(x))
        done.release()

    _thread.start_new_thread(work, ())
    done.acquire()
    return out[0]
