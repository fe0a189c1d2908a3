# impure: global-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

best = [float("inf")]


def f(x):
    loss = float((x**2).sum())
    if loss < best[0]:
        best[0] = loss
    return x * 2
