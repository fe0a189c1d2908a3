# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

temp = {"a": 1, "b": 2}


def f(x):
    temp.pop("a", None)
    return x
