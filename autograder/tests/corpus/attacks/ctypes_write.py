# attack: changes memory through ctypes; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import ctypes

cell = ctypes.c_int(0)


def f(x):
    ctypes.memset(ctypes.addressof(cell), 1, 1)
    return x * 2
