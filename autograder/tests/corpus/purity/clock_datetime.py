# impure: reads-clock, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import datetime


def f(x):
    return x * datetime.datetime.now().year
