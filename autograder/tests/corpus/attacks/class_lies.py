# attack: a counter that claims to be an array; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Sly:
    __module__ = "jax"

    def __init__(self):
        object.__setattr__(self, "n", 0)

    @property
    def __class__(self):
        return jax.Array

    @property
    def __dict__(self):
        return {}


sly = Sly()


def f(x):
    object.__setattr__(sly, "n", sly.n + 1)
    return x * 2
