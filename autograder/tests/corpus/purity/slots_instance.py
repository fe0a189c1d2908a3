# impure: attribute-mutated, line 19
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Box:
    __slots__ = ("v",)

    def __init__(self):
        self.v = 0


box = Box()


def f(x):
    box.v += 1
    return x
