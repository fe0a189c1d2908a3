# impure: global-mutated, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

model = {"layers": [{"w": 1.0}]}


def f(x):
    model["layers"][0]["w"] *= 1.5
    return x * 2
