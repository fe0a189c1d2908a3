# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

branches = []


def yes(x):
    branches.append("yes")
    return x


def no(x):
    branches.append("no")
    return -x


@jax.jit
def f(x):
    return jax.lax.cond(x.sum() > 0, yes, no, x)
