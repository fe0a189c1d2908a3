# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

v = [np.zeros((2, 2), order="C")]


@jax.jit
def f(x):
    v[0] = np.asfortranarray(v[0])
    return jnp.sin(x)
