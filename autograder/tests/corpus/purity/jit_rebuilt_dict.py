# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"w": jnp.ones(3)},)


@jax.jit
def f(params):
    params["w"] = params["w"] * 2
    return params
