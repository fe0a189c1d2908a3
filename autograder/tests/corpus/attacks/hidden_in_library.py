# attack: a counter on a library's function; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import functools


def f(x):
    functools.reduce_calls = getattr(functools, "reduce_calls", 0) + 1
    return x * 2
