# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    import statistics

    return x * statistics.median([1.0, 2.0, 4.0])
