# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses


@dataclasses.dataclass(frozen=True)
class P:
    w: jax.Array
    n: int = 3


def arguments():
    return (P(jnp.ones(3)), jnp.ones(3))


def f(p, x):
    return dataclasses.replace(p, w=p.w + x).w
