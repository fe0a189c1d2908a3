"""The ELBO in NumPy float64, written without JAX: the judge of every fit and every test."""

from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike

LogFactorial = Literal["exact", "stirling"]


def log_factorials(Y: ArrayLike, form: LogFactorial = "exact") -> float:
    """Sum of log Y!, exact or by the tutorial's Stirling formula."""
    Y = np.asarray(Y, np.float64)
    if form == "exact":
        return float(scipy.special.gammaln(Y + 1).sum())
    Z = np.maximum(Y, 1)
    return float((0.5 * np.log(2 * np.pi * Z) + Z * np.log(Z) - Z).sum())


def elbo(
    B: ArrayLike,
    M: ArrayLike,
    S: ArrayLike,
    Omega: ArrayLike,
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    form: LogFactorial = "exact",
) -> float:
    """The ELBO at any parameters, in nats; M is the latent mean less X B, S the deviation."""
    B, M, S, Omega, Y, O, X = (np.asarray(a, np.float64) for a in (B, M, S, Omega, Y, O, X))
    n, p = Y.shape
    eta = O + X @ B + M
    spread = M.T @ M + np.diag((S**2).sum(axis=0))
    return float(
        n / 2 * np.linalg.slogdet(Omega)[1]
        - np.trace(spread @ Omega) / 2
        + n * p / 2
        + (Y * eta - np.exp(eta + S**2 / 2) + np.log(np.abs(S))).sum()
        - log_factorials(Y, form)
    )


def profiled_elbo(
    M: ArrayLike,
    S: ArrayLike,
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    form: LogFactorial = "exact",
) -> float:
    """The ELBO with B and Sigma at their best, in nats; M is the whole latent mean."""
    M, S, Y, O, X = (np.asarray(a, np.float64) for a in (M, S, Y, O, X))
    R = M - X @ np.linalg.lstsq(X, M)[0]
    Sigma = (R.T @ R + np.diag((S**2).sum(axis=0))) / len(Y)
    return float(
        -len(Y) / 2 * np.linalg.slogdet(Sigma)[1]
        + (Y * (O + M) - np.exp(O + M + S**2 / 2) + np.log(np.abs(S))).sum()
        - log_factorials(Y, form)
    )
