# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

params = {}
params["scale"] = 2.0
params["table"] = np.arange(3)


def f(x):
    return x * params["scale"] + params["table"]
