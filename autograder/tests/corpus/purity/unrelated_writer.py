# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

calls = 0


def other():
    global calls
    calls += 1


SCALE = 2.0


def f(x):
    return x * SCALE
