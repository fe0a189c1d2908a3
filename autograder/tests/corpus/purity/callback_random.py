# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def host(v):
    return np.asarray(v) + np.random.rand()


def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
