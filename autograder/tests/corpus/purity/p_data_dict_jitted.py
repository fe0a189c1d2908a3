# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"Y": jnp.ones((4, 2)), "p": {"M": jnp.zeros((4, 2))}},)


@jax.jit
def f(d):
    d["p"]["M"] = d["p"]["M"] + d["Y"]
    del d["Y"]
    return d
