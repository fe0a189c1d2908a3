# impure: differs-between-processes
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": jnp.ones(2), "bb": jnp.zeros(2), "ccc": jnp.ones(2)}, {"a": 1})


def f(p, skip):
    return jnp.concatenate([p[k] for k in p.keys() - skip.keys()])
