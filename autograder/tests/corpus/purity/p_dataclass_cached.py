# pure
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses, functools


@dataclasses.dataclass(frozen=True)
class Grid:
    n: int

    @functools.cached_property
    def points(self):
        return np.linspace(0, 1, self.n)


GRID = Grid(3)


@jax.jit
def f(x):
    return x * GRID.points
