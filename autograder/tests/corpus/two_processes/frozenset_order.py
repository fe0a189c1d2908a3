# impure: differs-between-processes
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

NAMES = frozenset(["alpha", "beta", "gamma", "delta"])


def f(x):
    cols = [x * len(n) for n in NAMES]
    return jnp.stack(cols)
