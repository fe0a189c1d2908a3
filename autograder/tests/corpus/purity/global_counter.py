# impure: global-mutated, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

calls = 0


def f(x):
    global calls
    calls += 1
    return x * 2
