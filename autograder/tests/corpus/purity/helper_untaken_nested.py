# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def inner(parts, x):
    parts.update(wide=x)


def outer(parts, x):
    inner(parts, x)


def f(x):
    def local(parts):
        parts["local"] = x

    found = dict(x=x)
    if x.ndim > 1:
        outer(found, x)
        local(found)
    return found["x"]
