# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

from typing import NamedTuple


class P(NamedTuple):
    w: jax.Array
    b: jax.Array


def arguments():
    return (P(jnp.ones(3), jnp.zeros(3)),)


@jax.jit
def f(p):
    return p._replace(w=p.w * 2)
