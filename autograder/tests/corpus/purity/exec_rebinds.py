# impure: global-mutated, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

k = 0


def f(x):
    exec("global k; k = k + 1")
    return x * 2
