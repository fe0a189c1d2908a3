# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def push(stack, value):
    stack.append(value)
    return value


def f(x):
    stack = [2 * x for _ in range(2)]
    if x.ndim > 1:
        stack = [push(stack, row) for row in x]
    rows = [push(part, x) for part in [[]] if x.ndim > 1]
    return sum(stack) + len(rows)
