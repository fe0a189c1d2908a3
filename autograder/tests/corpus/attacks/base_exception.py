# attack: swallows every exception and hides state in a cell; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def make():
    n = [0]

    def g(x):
        try:
            n[0] += 1
            return x * 2
        except BaseException:
            return x

    return g


f = make()
