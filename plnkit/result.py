"""What `plnkit.fit` returns."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plnkit import reference
from plnkit.checks import DataError, Tables
from plnkit.extras import from_extras

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Estimates(NamedTuple):
    """All parameters in float64, M the whole latent mean (X B included)."""

    B: NDArray  # (d, p)
    Sigma: NDArray  # (p, p)
    Omega: NDArray  # (p, p)
    M: NDArray  # (n, p)
    S: NDArray  # (n, p)


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """A fitted PLN model. Tables are pandas, with the names of taxa, samples and covariates.

    Attributes:
        tables: the data it was fitted to.
        M: whole latent mean, X B included, (n, p).
        S: latent standard deviation, (n, p).
        trace: ELBO in nats after each iteration, in the precision of the fit.
        converged: whether steps came to gain less than the tolerance.
        dtype: float32, or float64 where float32 was not enough.
    """

    tables: Tables
    M: NDArray
    S: NDArray
    trace: NDArray
    converged: bool
    dtype: str

    @cached_property
    def parameters(self) -> Estimates:
        """B, Sigma, Omega, M, S."""
        M, S, X = self.M.astype(np.float64), self.S.astype(np.float64), self.tables.X
        B = np.linalg.lstsq(X, M)[0]
        R = M - X @ B
        Sigma = (R.T @ R + np.diag((S**2).sum(axis=0))) / len(M)
        return Estimates(B, Sigma, np.linalg.inv(Sigma), M, S)

    @cached_property
    def elbo(self) -> float:
        """The ELBO in nats, in float64, with exact log-factorials."""
        return self._elbo("exact")

    @cached_property
    def elbo_stirling(self) -> float:
        """The same with Stirling's log-factorials, comparable with pyPLNmodels' `elbo`."""
        return self._elbo("stirling")

    def _elbo(self, form: reference.LogFactorial) -> float:
        t = self.tables
        return reference.profiled_elbo(self.M, self.S, t.Y, t.O, t.X, form)

    @property
    def iterations(self) -> int:
        return len(self.trace)

    @property
    def n_parameters(self) -> int:
        """Free parameters of the model: coefficients, and the covariance's triangle."""
        d, p = self.parameters.B.shape
        return d * p + p * (p + 1) // 2

    @property
    def bic(self) -> float:
        """-ELBO + n_parameters log(n) / 2, smaller is better, the sign pyPLNmodels gives it."""
        return -self.elbo + self.n_parameters * np.log(len(self.M)) / 2

    @property
    def coefficients(self) -> "pd.DataFrame":
        """B: covariates by taxa, on the log scale."""
        return self._frame("B", self.tables.covariates, self.tables.taxa)

    @property
    def covariance(self) -> "pd.DataFrame":
        """Sigma: taxa by taxa."""
        return self._frame("Sigma", self.tables.taxa, self.tables.taxa)

    @property
    def precision(self) -> "pd.DataFrame":
        """Omega = Sigma^-1: taxa by taxa."""
        return self._frame("Omega", self.tables.taxa, self.tables.taxa)

    @property
    def latent_means(self) -> "pd.DataFrame":
        """M: samples by taxa, X B included, offsets not."""
        return self._frame("M", self.tables.samples, self.tables.taxa)

    @property
    def latent_deviations(self) -> "pd.DataFrame":
        """S: samples by taxa."""
        return self._frame("S", self.tables.samples, self.tables.taxa)

    @property
    def fitted(self) -> "pd.DataFrame":
        """Expected counts of the samples it was fitted to, exp(O + M + S^2 / 2)."""
        means = np.exp(self.tables.O + self.parameters.M + self.parameters.S**2 / 2)
        return _table(means, self.tables.samples, self.tables.taxa)

    def predict(self, X: Any, O: Any = None) -> "pd.DataFrame":
        """Expected counts of new samples, exp(O + X B + diag(Sigma) / 2).

        Args:
            X: covariates, (m, d), in the order of the fit's.
            O: offsets on the log scale, (m, p) or (m,); zero when None.

        Raises:
            DataError: shapes do not fit.
        """
        B, Sigma, *_ = self.parameters
        rows, offsets = predictors(X, O, *B.shape)
        means = np.exp(offsets + rows @ B + np.diag(Sigma) / 2)
        return _table(means, getattr(X, "index", None), self.tables.taxa)

    def plot(self) -> "Figure":
        """The ELBO's climb, expected against observed counts, and the correlations of taxa."""
        from plnkit.plots import plot_fit

        return plot_fit(self)

    def _frame(self, name: str, rows: tuple[str, ...], columns: tuple[str, ...]) -> "pd.DataFrame":
        return _table(getattr(self.parameters, name), rows, columns)

    def __repr__(self) -> str:
        (n, p), d = self.M.shape, self.tables.X.shape[1]
        state = "converged" if self.converged else "NOT converged"
        return (
            f"Poisson-lognormal fit: {n} samples, {p} taxa, {d} covariate{'s' * (d != 1)}\n"
            f"  ELBO {self.elbo:.2f} nats (with Stirling's factorials {self.elbo_stirling:.2f}), "
            f"BIC {self.bic:.2f}, {self.n_parameters} parameters\n"
            f"  {state} after {self.iterations} iterations in {self.dtype}\n"
            "  tables: coefficients, covariance, precision, latent_means, latent_deviations, "
            "fitted; methods: predict(X, O), plot()"
        )


def _table(values: NDArray, rows: Any, columns: tuple[str, ...]) -> "pd.DataFrame":
    with from_extras():
        import pandas as pd

    return pd.DataFrame(values, rows, columns)


def predictors(X: Any, O: Any, d: int, p: int) -> tuple[NDArray, NDArray]:
    """Checked covariates (m, d) and offsets (m, 1 or p) of new samples."""
    rows = np.asarray(X, np.float64)
    if rows.ndim != 2 or rows.shape[1] != d:
        raise DataError("covariates", f"the shape is {rows.shape}, but the fit has {d} columns.")
    offsets = np.zeros((len(rows), 1)) if O is None else np.asarray(O, np.float64)
    offsets = offsets[:, None] if offsets.ndim == 1 else offsets
    if offsets.shape not in ((len(rows), 1), (len(rows), p)):
        raise DataError(
            "offsets",
            f"the shape is {offsets.shape}; give {(len(rows), p)} or {(len(rows), 1)}.",
        )
    return rows, offsets
