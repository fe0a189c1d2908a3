# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    gen = (x * i for i in range(3))
    return sum(gen)
