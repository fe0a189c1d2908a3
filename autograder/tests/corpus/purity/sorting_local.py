# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    order = [2, 0, 1]
    order.sort(key=lambda i: -i)
    order.reverse()
    return x[jnp.array(order)]
