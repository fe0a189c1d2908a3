# impure, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import time


def f(x):
    (t,) = map(lambda g: g(), [time.time_ns])
    return x + t % 7
