"""The ELBO in NumPy float64, written without JAX: the judge of every fit and every test."""

from typing import TYPE_CHECKING, Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from plnkit.covariance import Covariance

LogFactorial = Literal["exact", "stirling"]


def log_factorials(Y: ArrayLike, form: LogFactorial = "exact") -> float:
    """Sum of log Y!, exact or by the tutorial's Stirling formula."""
    return float(log_factorials_of_samples(Y, form).sum())


def log_factorials_of_samples(Y: ArrayLike, form: LogFactorial = "exact") -> NDArray[np.float64]:
    """The same of each sample, (n,)."""
    Y = np.asarray(Y, np.float64)
    if form == "exact":
        return scipy.special.gammaln(Y + 1).sum(axis=-1)
    Z = np.maximum(Y, 1)
    return (0.5 * np.log(2 * np.pi * Z) + Z * np.log(Z) - Z).sum(axis=-1)


def elbo(
    B: ArrayLike,
    M: ArrayLike,
    S: ArrayLike,
    Omega: ArrayLike,
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    form: LogFactorial = "exact",
    weights: ArrayLike | None = None,
) -> float:
    """The ELBO at any parameters, in nats; M is the latent mean less X B, S the deviation."""
    B, M, S, Omega, Y, O, X = (np.asarray(a, np.float64) for a in (B, M, S, Omega, Y, O, X))
    p, w = Y.shape[1], _column(weights, len(Y))
    n = w.sum()
    eta = O + X @ B + M
    spread = M.T @ (w * M) + np.diag((w * S**2).sum(axis=0))
    return float(
        n / 2 * np.linalg.slogdet(Omega)[1]
        - np.trace(spread @ Omega) / 2
        + n * p / 2
        + (w * (Y * eta - np.exp(eta + S**2 / 2) + np.log(np.abs(S)))).sum()
        - (w[:, 0] * log_factorials_of_samples(Y, form)).sum()
    )


def profiled_elbo(
    M: ArrayLike,
    S: ArrayLike,
    Y: ArrayLike,
    O: ArrayLike,
    X: ArrayLike,
    form: LogFactorial = "exact",
    weights: ArrayLike | None = None,
    covariance: "Covariance" = "full",
) -> float:
    """The ELBO with B and Sigma at their best, in nats; M is the whole latent mean."""
    M, S, Y, O, X = (np.asarray(a, np.float64) for a in (M, S, Y, O, X))
    w = _column(weights, len(Y))
    R = M - X @ np.linalg.lstsq(np.sqrt(w) * X, np.sqrt(w) * M)[0]
    Sigma = (R.T @ (w * R) + np.diag((w * S**2).sum(axis=0))) / w.sum()
    if covariance == "diagonal":
        Sigma = np.diag(np.diag(Sigma))
    elif covariance == "spherical":
        Sigma = np.trace(Sigma) / len(Sigma) * np.eye(len(Sigma))
    return float(
        -w.sum() / 2 * np.linalg.slogdet(Sigma)[1]
        + (w * (Y * (O + M) - np.exp(O + M + S**2 / 2) + np.log(np.abs(S)))).sum()
        - (w[:, 0] * log_factorials_of_samples(Y, form)).sum()
    )


def _column(weights: ArrayLike | None, n: int) -> NDArray[np.float64]:
    return np.ones((n, 1)) if weights is None else np.asarray(weights, np.float64)[:, None]
