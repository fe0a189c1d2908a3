# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.singledispatch
def scale(n):
    return 1.0


@scale.register
def _(n: int):
    return 2.0


def f(x):
    return x * scale(3) + scale("a")
