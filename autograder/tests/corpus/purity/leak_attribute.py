# impure: leaked-tracer, line 17
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    pass


model = Model()


@jax.jit
def f(x):
    model.out = x * 2
    return x + 1
