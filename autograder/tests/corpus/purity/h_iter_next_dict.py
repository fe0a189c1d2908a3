# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

it = iter({"a": 1.0, "b": 2.0, "c": 3.0}.values())


def f(x):
    return x * next(it, 0.0)
