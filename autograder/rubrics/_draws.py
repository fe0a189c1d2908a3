"""What the lessons' PLN fits begin with: draws and a start. Workers get this, but no right results.

Parameters are dictionaries ``{"B": (d, p), "M": (n, p), "log_S": (n, p)}``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import plnkit

Array = NDArray[np.floating]
Params = dict[str, Array]

LARGER = 120, 118
"""Leaves and taxa, more than the oaks have: what has room for these only is wrong."""


def data(rng: np.random.Generator, n: int, p: int, d: int) -> tuple[Array, Array, Array]:
    """Counts with zeros (n, p), offsets (n, p), covariates with an intercept (n, d)."""
    Y = rng.poisson(rng.gamma(0.8, 4.0, size=(n, p))).astype(np.float32)
    Y.flat[0] = 0.0
    O = rng.normal(scale=0.3, size=(n, p)).astype(np.float32)
    X = np.hstack([np.ones((n, 1)), rng.normal(size=(n, d - 1))]).astype(np.float32)
    return Y, O, X


def sparse_counts(rng: np.random.Generator, *shape: int) -> Array:
    """Counts with a zero, many of them small."""
    drawn = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
    drawn.flat[0] = 0.0
    return drawn


def counts(rng: np.random.Generator, *shape: int, least: int = 2) -> Array:
    """Such counts, of which the last is at least 2, or `least`."""
    drawn = sparse_counts(rng, *shape)
    drawn.flat[-1] = rng.integers(least, 90)
    return drawn


def large_table(rng: np.random.Generator) -> Array:
    """Counts with zeros: more leaves, more taxa and a larger count than the oaks have."""
    Y = rng.poisson(rng.gamma(0.5, 60.0, size=LARGER)).astype(np.float32)
    Y.flat[0], Y.flat[-1] = 0.0, rng.integers(3000, 9000)
    return Y


def draw_fits(rng: np.random.Generator) -> list[tuple]:
    """Two data sets of one size, a single sample, and more than the oaks; few iterations, or one.

    The counts of one call are all equal, with covariates of another.
    """
    sizes = ((6, 5, 2, 3), (6, 5, 2, 3), (1, 3, 1, 4), (*LARGER, 1, 1))
    calls = [(*data(rng, n, p, d), iterations) for n, p, d, iterations in sizes]
    Y, O, X, iterations = calls[0]
    return [*calls, (np.full_like(Y, rng.integers(1, 9)), O.copy(), X.copy(), iterations)]


def draw_loops(rng: np.random.Generator, most: int = 200) -> list[tuple]:
    """Numbers of iterations as for any loop, and one that is larger than the notebook's `most`."""
    few = int(rng.integers(12, 24))
    drawn = data(rng, 12, 3, 1)
    return [(*drawn, few + more) for more in (0, 20, 54, most)]


def draw_oaks(rng: np.random.Generator, leaves: int, iterations: int) -> tuple:
    """Leaves of the oaks, in any order, and a number of iterations: a fit to be timed."""
    oaks = plnkit.load_oaks()
    rows = rng.permutation(len(oaks.Y))[:leaves]
    return oaks.Y[rows], oaks.O[rows], oaks.X[rows], iterations


def draw_params(rng: np.random.Generator, n: int, p: int, d: int) -> Params:
    """Parameters in general position, all of order one."""

    def normal(*shape: int) -> Array:
        return rng.normal(scale=0.4, size=shape).astype(np.float32)

    return {"B": normal(d, p), "M": normal(n, p), "log_S": normal(n, p) - np.float32(0.5)}


def near_counts(Y: Array, O: Array, X: Array) -> tuple[Params, Array]:
    """Parameters near the counts, and the best Omega: `plnkit.course.start` in NumPy."""
    logs = np.log(Y + 1) - O
    ridge = Y.dtype.type(0.01) * np.eye(X.shape[1], dtype=X.dtype)
    B = np.linalg.solve(X.T @ X + ridge, X.T @ logs)
    params = {"B": B, "M": logs - X @ B, "log_S": -np.log(Y + 1) / 2}
    return params, np.linalg.inv(covariance(params))


def covariance(params: Params) -> Array:
    """The Sigma that maximises the ELBO: (M'M + diag(sum_i S_i^2)) / n."""
    M, S2 = params["M"], np.exp(2 * params["log_S"])
    return (M.T @ M + np.diag(S2.sum(axis=0))) / M.shape[0]
