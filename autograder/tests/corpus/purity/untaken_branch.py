# impure: untaken-mutation, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

count = 0


def f(x):
    global count
    if x.shape[0] > 100:
        count += 1
    return x * 2
