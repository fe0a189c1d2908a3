# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

_jits = {}


def get(name):
    return _jits.setdefault(name, jax.jit(getattr(jnp, name)))


def f(x):
    return get("sin")(x)
