# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses, functools


@functools.partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["n"])
@dataclasses.dataclass
class P:
    w: jax.Array
    n: int


def arguments():
    return (P(jnp.ones(3), 2), jnp.ones(3))


@jax.jit
def f(p, x):
    p.w = p.w * x
    return P(p.w, p.n + 1)
