# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

from datetime import date


def f(x):
    return x * date.today().day
