# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    out = []
    for i in range(3):
        out.append(x * i)
    return jnp.stack(out)
