# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    with np.errstate(divide="ignore"):
        c = np.log(np.zeros(1))
    return jnp.where(jnp.isinf(c), x, 0.0)
