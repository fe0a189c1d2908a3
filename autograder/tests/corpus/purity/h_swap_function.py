# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def act(x):
    return x * 2


def other(x):
    return x * 3


def f(x):
    global act
    act = other
    return act(x)
