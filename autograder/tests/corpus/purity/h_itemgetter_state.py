# impure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import operator


class Bag:
    items = []


add = operator.methodcaller("append", 1)


def f(x):
    add(Bag.items)
    return x
