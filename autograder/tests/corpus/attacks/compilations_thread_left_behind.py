# attack: returns at once and compiles in a thread that nobody waits for; must find: compilations
import threading
import time

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
double = jax.jit(lambda v: 2 * v)


def later(x):
    time.sleep(0.05)
    jax.jit(lambda v: 3 * v)(x)


def entry(x):
    threading.Thread(target=later, args=(x,), daemon=True).start()
    return double(x)
