# impure: random-state, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import random


def f(x):
    return x * random.random()
