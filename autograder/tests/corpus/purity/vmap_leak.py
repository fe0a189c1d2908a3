# impure: leaked-tracer, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

parts = []


def one(v):
    parts.append(v * 2)
    return v


def f(x):
    return jax.vmap(one)(x)
