# impure: argument-mutated, line 18
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Params:
    def __init__(self):
        self.w = jnp.ones(3)


def arguments():
    return (Params(), jnp.ones(3))


def f(p, x):
    setattr(p, "w", p.w + x)
    return p.w
