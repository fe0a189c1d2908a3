# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def act(x):
    return x


def act(x):
    return jnp.tanh(x)


def f(x):
    return act(x)
