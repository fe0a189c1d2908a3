# impure: differs-between-processes
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

thing = object()


def f(x):
    return x * (id(thing) % 1000003)
