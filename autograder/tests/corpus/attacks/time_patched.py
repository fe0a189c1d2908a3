# attack: a clock that stands still; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import time

time.time = lambda: 0.0
time.perf_counter = lambda: 0.0


def f(x):
    return x * 2
