# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (jax.random.PRNGKey(0), jnp.zeros(2))


def f(key, x):
    for _ in range(3):
        key, sub = jax.random.split(key)
        x = x + jax.random.normal(sub, x.shape)
    return x
