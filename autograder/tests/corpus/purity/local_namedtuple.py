# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import collections
from typing import NamedTuple


def f(x):
    Point = collections.namedtuple("Point", "a b")

    class Other(NamedTuple):
        c: object

    p = Point(x, x * 2)
    return p.a + p.b + Other(x).c
