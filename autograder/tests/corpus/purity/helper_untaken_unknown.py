# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def make():
    return []


def push(stack, value):
    stack.append(value)


def f(x):
    stack = make()
    if x.ndim > 1:
        push(stack, x)
    return x + len(stack)
