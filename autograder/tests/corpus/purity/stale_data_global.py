# impure: stale-global, line 11
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

data = jnp.ones(3)


def loss(w):
    return ((w - data) ** 2).sum()


f = jax.jit(jax.grad(loss))
f(jnp.zeros(3))
data = data * 2
