# attack: switches the profiler off, then reads the clock; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import sys, time


def f(x):
    old = sys.getprofile()
    sys.setprofile(None)
    t = time.perf_counter()
    sys.setprofile(old)
    return x * 2
