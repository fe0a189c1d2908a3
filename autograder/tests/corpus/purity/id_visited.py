# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ([jnp.ones(2), jnp.zeros(2)],)


def f(xs):
    visited = set()
    out = []
    for x in xs:
        if id(x) not in visited:
            visited.add(id(x))
            out.append(x * 2)
    return out
