# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (jax.random.key(0), jnp.ones(3))


@jax.jit
def f(key, x):
    k1, k2 = jax.random.split(key)
    return x + jax.random.normal(k1, x.shape), k2
