# impure: iterator-advanced, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

scales = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] * 9)


def f(x):
    return x * next(scales)
