# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    with jax.default_matmul_precision("float32"):
        return x @ x
