# impure: argument-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": jnp.ones(2), "tmp": jnp.ones(2)},)


def f(d):
    d.pop("tmp")
    return d["a"]
