# impure, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import collections

lru = collections.OrderedDict(a=1, b=2)


def f(x):
    lru.popitem(last=False)
    lru["a"] = lru.get("a", 0) + 1
    return x
