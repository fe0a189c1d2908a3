# impure: module-patched, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import builtins


def f(x):
    builtins.double = lambda v: v * 2
    return builtins.double(x)
