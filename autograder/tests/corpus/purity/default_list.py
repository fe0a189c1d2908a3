# impure: default-mutated, line 9
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x, acc=[]):
    acc.append(1)
    return x * len(acc)
