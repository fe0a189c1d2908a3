# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses


@dataclasses.dataclass
class P:
    w: jax.Array
    n: int = 0

    def __post_init__(self):
        self.n = self.w.shape[0]


def f(x):
    p = P(x * 2)
    return p.w * p.n
