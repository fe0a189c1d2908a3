# impure: stale-global, line 16
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

mode = "square"


def set_mode(m):
    global mode
    mode = m


def f(x):
    return x**2 if mode == "square" else x
