# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"b": jnp.ones(2), "a": jnp.ones(2)},)


def f(p):
    need = {"a", "b"}
    assert all(k in p for k in need)
    return {k: p[k] * 2 for k in sorted(need)}
