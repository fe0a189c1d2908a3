# impure: argument-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": {"b": [jnp.ones(3), jnp.zeros(2)]}},)


def f(p):
    p["a"]["b"].pop()
    return p["a"]["b"][0] * 2
