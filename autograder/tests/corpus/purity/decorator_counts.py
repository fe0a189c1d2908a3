# impure: closure-mutated, line 15
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


def counted(fn):
    calls = {"n": 0}

    @functools.wraps(fn)
    def wrapper(*args):
        calls["n"] += 1
        return fn(*args)

    return wrapper


@counted
@jax.jit
def f(x):
    return x * 2
