# impure: global-mutated, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

seen = set()


def f(x):
    seen.add(x.shape[0])
    return x
