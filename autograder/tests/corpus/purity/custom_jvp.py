# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_jvp
def safe(x):
    return jnp.log(x + 1)


@safe.defjvp
def rule(primals, tangents):
    (x,), (t,) = primals, tangents
    return safe(x), t / (x + 1)


def f(x):
    return jax.grad(lambda v: safe(v).sum())(x)
