# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Reg:
    seen = []

    @classmethod
    def push(cls, v):
        cls.seen.append(v)


@jax.jit
def f(x):
    Reg.push(x.shape)
    return x
