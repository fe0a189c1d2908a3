# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

hist = np.zeros(3)


def f(x):
    np.add.at(hist, [0, 1], 1)
    return x
