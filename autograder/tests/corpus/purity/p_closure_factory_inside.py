# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    def make(k):
        count = [0]

        def g(v):
            count[0] += 1
            return v * k + count[0]

        return g

    g = make(2.0)
    return g(g(x))
