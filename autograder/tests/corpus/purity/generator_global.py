# impure: iterator-advanced
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np


def numbers():
    n = 0
    while True:
        yield n
        n += 1


gen = numbers()


def f(x):
    return x + next(gen)
