# impure: reads-clock, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import time


def now(clock=time.monotonic):
    return clock()


def f(x):
    t0 = now()
    return x * 2
