# impure: leaked-tracer, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

saved = {}


def loss(w):
    saved["pred"] = w * 3
    return (saved["pred"] ** 2).sum()


def f(x):
    return jax.grad(loss)(x)
