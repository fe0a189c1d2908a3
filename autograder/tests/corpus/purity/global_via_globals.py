# impure: global-mutated, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

level = 0


def f(x):
    globals()["level"] += 1
    return x
