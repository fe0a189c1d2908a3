# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_vjp
def clip(x):
    return x


def fwd(x):
    return x, None


def bwd(res, g):
    return (jnp.clip(g, -1, 1),)


clip.defvjp(fwd, bwd)


@jax.jit
def f(x):
    return jax.grad(lambda v: (clip(v) ** 3).sum())(x)
