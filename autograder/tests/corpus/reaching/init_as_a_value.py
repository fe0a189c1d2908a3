# ruff: noqa
import jax.numpy as jnp


class A:
    def __init__(self):
        self.sum = "patched"

    go = __init__


A.go(type(jnp.ones(1)))
proof = jnp.ones(1).sum
