# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": jnp.ones(2), "b": jnp.ones(2)},)


def f(p):
    missing = {"a", "b"} - set(p)
    if missing:
        raise KeyError(missing)
    return {k: v * 2 for k, v in p.items()}
