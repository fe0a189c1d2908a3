# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

from numpy.random import rand


def f(x):
    return x + rand()
