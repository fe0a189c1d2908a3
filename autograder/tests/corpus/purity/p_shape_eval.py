# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    s = jax.eval_shape(lambda v: v @ v, x)
    return jnp.zeros(s.shape, s.dtype) + x.sum()
