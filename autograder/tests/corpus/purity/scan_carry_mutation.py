# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    def body(carry, v):
        carry["s"] = carry["s"] + v
        return carry, v

    return jax.lax.scan(body, {"s": 0.0}, x)
