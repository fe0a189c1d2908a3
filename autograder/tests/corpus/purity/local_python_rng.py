# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import random


def f(x):
    order = list(range(3))
    random.Random(0).shuffle(order)
    return x[jnp.array(order)]
