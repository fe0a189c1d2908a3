# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import time


def f(x):
    return x * int(time.strftime("%Y"))
