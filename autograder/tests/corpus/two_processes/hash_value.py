# impure: differs-between-processes
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    return x * (hash("seed") % 100)
