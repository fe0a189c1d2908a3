# impure: argument-mutated, line 20
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses


@dataclasses.dataclass
class Params:
    w: jax.Array


def arguments():
    return (Params(jnp.ones(3)), jnp.ones(3))


def f(p, x):
    p.w = p.w + x
    return p.w
