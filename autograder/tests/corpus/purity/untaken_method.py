# impure, line 18
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class M:
    def __init__(self):
        self.cache = None


m = M()


def f(x, train=False):
    if train:
        m.cache = x
    return x * 2
