# impure: reads-clock, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import time


def f(x):
    start = time.perf_counter()
    y = x * 2
    return y
