# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def acc():
    total = 0.0
    while True:
        total += yield total


totals = acc()
next(totals)


def f(x):
    return x + totals.send(1.0)
