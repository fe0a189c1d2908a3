# impure: global-mutated, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import collections

recent = collections.deque(maxlen=2)


def f(x):
    recent.append(1.0)
    return x
