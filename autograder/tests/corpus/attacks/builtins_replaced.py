# attack: replaces isinstance for everybody; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import builtins

real = builtins.isinstance
builtins.isinstance = lambda a, b: real(a, b)


def f(x):
    return x * 2
