# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"w": jnp.ones(3), "b": jnp.zeros(3)},)


def f(p):
    p = dict(p)
    p["w"] = p["w"] * 2
    p |= {"c": p["b"]}
    return p
