# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.lru_cache
def basis(n):
    with jax.ensure_compile_time_eval():
        return jnp.eye(n)


@jax.jit
def f(x):
    return basis(x.shape[0]) @ x
