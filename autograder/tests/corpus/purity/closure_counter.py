# impure: closure-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def make():
    n = 0

    def g(x):
        nonlocal n
        n += 1
        return x * 2

    return g


f = make()
