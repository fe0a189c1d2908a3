# impure, line 12
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

losses = []


def f(x):
    def body(i, v):
        losses.append(v.sum())
        return v * 0.9

    return jax.lax.fori_loop(0, 5, body, x)
