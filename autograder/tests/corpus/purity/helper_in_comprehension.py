# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def push(stack, value):
    if value is None:
        stack.append(0.0)
    return value


def f(x):
    stack = [0.0]
    rows = [push(stack, row) for row in (x, 2 * x)]
    return sum(rows) + stack[0]
