"""What follows from the variational parameters: B, Sigma and the ELBO, in NumPy float64.

The solver works in float32, which holds an ELBO of millions to a nat or so. Here all sums are
float64. Samples come in blocks that stay in a processor's cache: twice as fast as whole arrays, and
no float64 copy of the data is ever made. `plnkit.reference` computes the same plainly, for tests.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import scipy  # its parts are loaded when used
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
LogFactorial = Literal["exact", "stirling"]

BLOCK = 2**15
"""Entries of a block, 256 KiB in float64."""
LOOKED_UP = 2**14
"""Counts below this have their log-factorials in a table, if there are as many counts as that."""


def blocks(n: int, p: int) -> Iterator[slice]:
    """The samples in blocks."""
    rows = max(1, BLOCK // max(p, 1))
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))


def regress(M: NDArray, Q: Float64) -> Float64:
    """Coefficients of the whole latent means M (n, p) on an orthonormal basis Q (n, d), (d, p)."""
    B = np.zeros((Q.shape[1], M.shape[1]))
    for rows in blocks(*M.shape):
        B += Q[rows].T @ M[rows].astype(np.float64)
    return B


def covariance(M: NDArray, log_S: NDArray, Q: Float64, B: Float64) -> Float64:
    """Sigma = (R'R + diag(sum_i S_i^2)) / n with R = M - Q B, (p, p)."""
    n, p = M.shape
    products, squares = np.zeros((p, p)), np.zeros(p)
    for rows in blocks(n, p):
        R = M[rows] - Q[rows] @ B
        products += R.T @ R
        squares += np.exp(2 * log_S[rows].astype(np.float64)).sum(axis=0)
    return (products + np.diag(squares)) / n


def poisson_part(M: NDArray, log_S: NDArray, Y: NDArray, O: NDArray) -> Float64:
    """Of each sample, sum_j [Y (O + M) - exp(O + M + S^2 / 2) + log S], (n,)."""
    n, p = M.shape
    total = np.empty(n)
    for rows in blocks(n, p):
        log_s = log_S[rows].astype(np.float64)
        eta = O[rows] + M[rows].astype(np.float64)
        terms = Y[rows] * eta + log_s
        log_s *= 2
        eta += np.exp(log_s, out=log_s) / 2
        terms -= np.exp(eta, out=eta)
        terms.sum(axis=1, out=total[rows])
    return total


def log_factorials(Y: NDArray, form: LogFactorial = "exact") -> Float64:
    """Of each sample, sum_j log Y_ij!, exact or by the tutorial's Stirling formula, (n,)."""
    n, p = Y.shape
    highest = int(min(Y.max(initial=0), LOOKED_UP - 1, Y.size))
    table = _log_factorial(np.arange(highest + 1.0), form)
    total = np.empty(n)
    for rows in blocks(n, p):
        counts = Y[rows]
        terms = table[np.minimum(counts, highest).astype(np.intp)]
        large = counts > highest
        if large.any():
            terms[large] = _log_factorial(counts[large].astype(np.float64), form)
        terms.sum(axis=1, out=total[rows])
    return total


def _log_factorial(Y: Float64, form: LogFactorial) -> Float64:
    if form == "exact":
        return scipy.special.gammaln(Y + 1)
    Z = np.maximum(Y, 1)
    return 0.5 * np.log(2 * np.pi * Z) + Z * np.log(Z) - Z
