# impure: prints, line 10
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    def body(c, v):
        print("step")
        return c + v, c

    return jax.lax.scan(body, 0.0, x)
