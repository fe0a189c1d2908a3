# impure: global-mutated, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

total = np.zeros(3)


def f(x):
    total[0] += 1.0
    return x + 1
