# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    import os, statistics

    os.environ["MINE"] = "1"
    return x * 2
