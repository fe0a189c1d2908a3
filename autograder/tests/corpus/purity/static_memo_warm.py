# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

shapes = {}


def f(x):
    n = x.shape[0]
    if n not in shapes:
        shapes[n] = tuple(range(n))
    return x * jnp.array(shapes[n])


f(jnp.arange(3.0))
