# impure: argument-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.arange(3.0),)


def f(x):
    x += 1
    return jnp.sum(jnp.asarray(x))
