# impure: context-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import contextvars

var = contextvars.ContextVar("var", default=0)


def f(x):
    var.set(var.get() + 1)
    return x
