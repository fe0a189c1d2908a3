# impure: differs-between-processes
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": jnp.ones(2), "b": jnp.zeros(2), "c": jnp.ones(2)},)


def f(params):
    total = 0.0
    for name in {"a", "b", "c"}:
        total = total * 2 + params[name].sum()
    return total
