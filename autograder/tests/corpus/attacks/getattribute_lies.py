# attack: a counter that hides its attributes; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Sly:
    def __init__(self):
        object.__setattr__(self, "count", 0)

    def __getattribute__(self, name):
        if name == "__dict__":
            return {}
        return object.__getattribute__(self, name)


sly = Sly()


def f(x):
    object.__setattr__(sly, "count", sly.count + 1)
    return x * 2
