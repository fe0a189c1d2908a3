# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (jnp.ones(3), [1, 2])


@jax.jit
def f(x, sizes):
    return x * len(sizes)


def g(x, sizes, _log=[]):
    _log.append(len(sizes))
    return f(x, sizes)


f0 = f
f = g
