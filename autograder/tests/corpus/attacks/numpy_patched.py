# attack: NumPy's comparison always says yes; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

np.allclose = lambda *a, **k: True
np.array_equal = lambda *a, **k: True
n = 0


def f(x):
    global n
    n += 1
    return x * n
