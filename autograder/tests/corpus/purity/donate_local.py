# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.partial(jax.jit, donate_argnums=0)
def bump(x):
    return x + 1


def f(x):
    y = x * 2
    return bump(y)
