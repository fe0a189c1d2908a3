# impure: prints, line 9
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    print("tracing", x)
    return x * 2
