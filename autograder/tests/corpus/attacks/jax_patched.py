# attack: jax.make_jaxpr, jit and block_until_ready replaced; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

jax.block_until_ready = lambda x: x
jax.make_jaxpr = lambda f: f
n = [0]


def f(x):
    n[0] += 1
    return x * n[0]
