# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

SKIP = {"a", "z"}


def arguments():
    return ({"b": jnp.ones(2), "a": jnp.zeros(2)},)


def f(p):
    return sum(v.sum() for k, v in p.items() if k not in SKIP)
