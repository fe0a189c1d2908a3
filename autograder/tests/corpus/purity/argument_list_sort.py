# impure: argument-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ([3, 1, 2], jnp.ones(3))


def f(order, x):
    order.sort()
    return x[jnp.array(order) - 1]
