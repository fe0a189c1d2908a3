# impure: interpreter-changed
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    import warnings

    warnings.filters.insert(0, ("ignore", None, Warning, None, 0))
    return x * 2
