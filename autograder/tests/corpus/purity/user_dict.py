# impure, line 18
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import collections


class Store(collections.UserDict):
    pass


store = Store()


def f(x):
    store["last"] = x.shape
    return x
