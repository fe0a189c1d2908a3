# impure: interpreter-changed, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import sys


def f(x):
    sys.setrecursionlimit(5000)
    return x
