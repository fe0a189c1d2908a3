# impure: attribute-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


def counted(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        wrapper.calls += 1
        return fn(*args)

    wrapper.calls = 0
    return wrapper


@counted
def f(x):
    return x * 2
