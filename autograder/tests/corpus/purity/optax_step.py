# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import optax

opt = optax.adam(0.1)


def arguments():
    p = {"w": jnp.ones(3)}
    return (p, opt.init(p))


@jax.jit
def f(params, state):
    g = jax.grad(lambda p: (p["w"] ** 2).sum())(params)
    updates, state = opt.update(g, state)
    return optax.apply_updates(params, updates), state
