"""Poisson regressions, one a taxon: what the covariates explain without any latent position.

Newton's method on the log-likelihood, which is concave. All taxa take their steps at once, each of
its own length.

References:
    McCullagh, Nelder (1989), Generalized Linear Models, 2nd edition, sections 2.5 and 6.2.
"""

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]

TOLERANCE = 1e-8  # nats that a step of a taxon still promises
MOST_STEPS = 100
BACKTRACK = 0.5
SHORTEST = 1e-6
RIDGE = 1e-12
"""Of the largest curvature: a taxon that a covariate excludes has none left in the end."""


def regress(Y: NDArray, O: NDArray, Q: Float64, weights: Float64) -> Float64:
    """The highest log-likelihood of each taxon's Poisson regression, without log Y!, (p,).

    Where the likelihood has no maximum, as for a taxon that was never seen on one side of a
    covariate, it is what the likelihood rises to.

    Args:
        Y: counts, (n, p).
        O: offsets, (n, p).
        Q: basis of the covariates, (n, d).
        weights: of the samples, (n,).
    """
    Y, O, w = Y.astype(np.float64), O.astype(np.float64), weights[:, None]
    d, p = Q.shape[1], Y.shape[1]
    # As R's glm starts: one step from means that are the counts, nearly.
    means = Y + 0.1
    B = _solve(Q, w * means, Q.T @ (w * means * (np.log(means) - O + (Y - means) / means)))

    def log_likelihood(B: Float64) -> Float64:
        eta = O + Q @ B
        with np.errstate(over="ignore"):
            return (w * (Y * eta - np.exp(eta))).sum(axis=0)

    zero = log_likelihood(np.zeros((d, p)))
    value = log_likelihood(B)
    B = np.where(value >= zero, B, 0.0)
    value = np.maximum(value, zero)
    for _ in range(MOST_STEPS):
        expected = np.exp(O + Q @ B)
        slope = Q.T @ (w * (Y - expected))
        step = _solve(Q, w * expected, slope)
        promised = (slope * step).sum(axis=0)
        length = np.ones(p)
        while True:
            moved = log_likelihood(B + length * step)
            short = (moved < value) & (length > SHORTEST) & (promised > TOLERANCE)
            if not short.any():
                break
            length[short] *= BACKTRACK
        better = moved > value
        B = np.where(better, B + length * step, B)
        value = np.where(better, moved, value)
        if (promised <= TOLERANCE).all() or not better.any():
            break
    return value


def _solve(Q: Float64, curvature: Float64, slope: Float64) -> Float64:
    """Newton's step of each taxon, (d, p)."""
    d = Q.shape[1]
    H = np.empty((curvature.shape[1], d, d))
    for k in range(d):
        H[:, k] = curvature.T @ (Q[:, [k]] * Q)
    scale = np.trace(H, axis1=1, axis2=2)[:, None, None]
    return np.linalg.solve(H + RIDGE * scale * np.eye(d), slope.T[..., None])[..., 0].T
