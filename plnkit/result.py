"""What `plnkit.fit` returns."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np
import scipy
from numpy.typing import NDArray

from plnkit import estimates
from plnkit.checks import Tables, check_new
from plnkit.design import Design
from plnkit.extras import from_extras
from plnkit.new_samples import infer
from plnkit.separation import find_infinite
from plnkit.standard_errors import influence

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


class Inferred(NamedTuple):
    """What is inferred about samples that were not in the fit: tables, samples by taxa.

    Attributes:
        means: of the latent positions, X B included, offsets not.
        deviations: of the latent positions.
        expected: counts, exp(O + means + deviations^2 / 2).
    """

    means: "pd.DataFrame"
    deviations: "pd.DataFrame"
    expected: "pd.DataFrame"


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """A fitted PLN model. Tables are pandas, with the names of taxa, samples and covariates.

    Attributes:
        tables: the data it was fitted to.
        design: the covariates, and the orthonormal basis of them that the fit was computed in.
        M: whole latent mean, X B included, (n, p), in the precision of the fit.
        log_S: log of the latent standard deviation, (n, p), in the precision of the fit.
        trace: ELBO in nats after each iteration, in the precision of the fit.
        converged: whether steps came to gain less than the tolerance.
        dtype: float32, or float64 where float32 was not enough.
    """

    tables: Tables
    design: Design
    M: NDArray
    log_S: NDArray
    trace: NDArray
    converged: bool
    dtype: str

    @property
    def S(self) -> NDArray:
        """Latent standard deviation, (n, p), in the precision of the fit."""
        return np.exp(self.log_S)

    @property
    def parameters(self) -> Estimates:
        """B, Sigma, Omega, M, S."""
        M, log_S = self.M.astype(np.float64), self.log_S.astype(np.float64)
        return Estimates(self._B, self._Sigma, np.linalg.inv(self._Sigma), M, np.exp(log_S))

    @cached_property
    def _B_Q(self) -> NDArray:
        return estimates.regress(self.M, self.design.Q)

    @cached_property
    def _B(self) -> NDArray:
        return self.design.coefficients(self._B_Q)

    @cached_property
    def _Sigma(self) -> NDArray:
        return estimates.covariance(self.M, self.log_S, self.design.Q, self._B_Q)

    @cached_property
    def _without_factorials(self) -> float:
        """The ELBO in nats, less the log-factorials of the counts."""
        t = self.tables
        entries = estimates.poisson_part(self.M, self.log_S, t.Y, t.O).sum()
        return entries - len(self.M) / 2 * np.linalg.slogdet(self._Sigma)[1]

    @cached_property
    def elbo(self) -> float:
        """The ELBO in nats, in float64, with exact log-factorials."""
        return float(self._without_factorials - estimates.log_factorials(self.tables.Y).sum())

    @cached_property
    def elbo_stirling(self) -> float:
        """The same with Stirling's log-factorials, comparable with pyPLNmodels' `elbo`."""
        stirling = estimates.log_factorials(self.tables.Y, "stirling").sum()
        return float(self._without_factorials - stirling)

    @property
    def iterations(self) -> int:
        return len(self.trace)

    @property
    def n_parameters(self) -> int:
        """Free parameters of the model: coefficients, and the covariance's triangle."""
        d, p = self.tables.X.shape[1], self.M.shape[1]
        return d * p + p * (p + 1) // 2

    @property
    def bic(self) -> float:
        """-ELBO + n_parameters log(n) / 2, smaller is better, the sign pyPLNmodels gives it."""
        return -self.elbo + self.n_parameters * np.log(len(self.M)) / 2

    @property
    def coefficients(self) -> "pd.DataFrame":
        """B: covariates by taxa, on the log scale."""
        return _table(self._B, self.tables.covariates, self.tables.taxa)

    @property
    def covariance(self) -> "pd.DataFrame":
        """Sigma: taxa by taxa."""
        return _table(self._Sigma, self.tables.taxa, self.tables.taxa)

    @property
    def precision(self) -> "pd.DataFrame":
        """Omega = Sigma^-1: taxa by taxa."""
        return _table(np.linalg.inv(self._Sigma), self.tables.taxa, self.tables.taxa)

    @property
    def latent_means(self) -> "pd.DataFrame":
        """M: samples by taxa, X B included, offsets not."""
        return _table(self.M.astype(np.float64), self.tables.samples, self.tables.taxa)

    @property
    def latent_deviations(self) -> "pd.DataFrame":
        """S: samples by taxa."""
        deviations = np.exp(self.log_S.astype(np.float64))
        return _table(deviations, self.tables.samples, self.tables.taxa)

    @property
    def fitted(self) -> "pd.DataFrame":
        """Expected counts of the samples it was fitted to, exp(O + M + S^2 / 2)."""
        half_variances = np.exp(2 * self.log_S.astype(np.float64)) / 2
        means = np.exp(self.tables.O + self.M.astype(np.float64) + half_variances)
        return _table(means, self.tables.samples, self.tables.taxa)

    @cached_property
    def influence(self) -> NDArray:
        """What each sample moves each coefficient by, to first order, (d, p, n), float64.

        Sums over the samples of products are the coefficients' covariances (see
        `plnkit.standard_errors`).
        """
        t, (B, _, _, M, S) = self.tables, self.parameters
        with jax.enable_x64(True):
            return np.asarray(influence(t.Y, t.O, t.X, B, M, S))

    @property
    def standard_errors(self) -> "pd.DataFrame":
        """Of the coefficients, covariates by taxa: a sandwich, profiled over M, S and Sigma.

        NaN where a coefficient has no finite estimate, because a taxon was never seen on one side
        of a covariate (see `plnkit.separation`). There are none for the covariance: its
        variational estimate has a bias of the size of its error.
        """
        errors = np.sqrt((self.influence**2).sum(axis=-1))
        errors[find_infinite(self.tables.Y, self.tables.X)] = np.nan
        return _table(errors, self.tables.covariates, self.tables.taxa)

    def coefficient_table(self, level: float = 0.95) -> "pd.DataFrame":
        """Every coefficient in a row, with its error, z, two-sided p-value and interval.

        Args:
            level: of the normal confidence intervals, between 0 and 1.

        Raises:
            ValueError: the level is not between 0 and 1.
        """
        with from_extras():
            import pandas as pd

        if not 0 < level < 1:
            raise ValueError(f"the level is {level}; it lies between 0 and 1, as 0.95 does.")
        B, errors = self._B.ravel(), self.standard_errors.to_numpy().ravel()
        t, half = self.tables, scipy.special.ndtri(0.5 + level / 2) * errors
        return pd.DataFrame(
            {
                "covariate": np.repeat(np.array(t.covariates, object), len(t.taxa)),
                "taxon": np.tile(np.array(t.taxa, object), len(t.covariates)),
                "coefficient": B,
                "standard_error": errors,
                "z": B / errors,
                "p_value": 2 * scipy.special.ndtr(-np.abs(B / errors)),
                "low": B - half,
                "high": B + half,
            }
        )

    def predict(self, *, O: Any = None, X: Any) -> "pd.DataFrame":
        """Expected counts of new samples, exp(O + X B + diag(Sigma) / 2).

        Tables with names are matched by them, arrays by position.

        Args:
            O: offsets on the log scale, (m, p) or (m,); zero when None.
            X: covariates, (m, d).

        Raises:
            DataError: shapes or names do not fit, or an entry is not a finite number.
        """
        new = check_new(self.tables.covariates, self.tables.taxa, O, X)
        means = np.exp(new.O + new.X @ self._B + np.diag(self._Sigma) / 2)
        return _table(means, new.index, self.tables.taxa)

    def infer(self, Y: Any, *, O: Any = None, X: Any) -> Inferred:
        """The latent positions of new samples from their counts, the model as it is.

        Where some counts of a sample are not known, the others tell of them: `expected` is then a
        prediction, given these. Tables with names are matched by them, arrays by position.

        Args:
            Y: counts, (m, p), NaN where one is not known.
            O: offsets on the log scale, (m, p) or (m,); zero when None.
            X: covariates, (m, d).

        Raises:
            DataError: shapes or names do not fit, or an entry is no count.
        """
        new = check_new(self.tables.covariates, self.tables.taxa, O, X, Y)
        center = new.X @ self._B
        with jax.enable_x64(True):
            Omega = np.linalg.inv(self._Sigma)
            m, log_s = (np.asarray(a) for a in infer(new.Y, new.O + center, Omega))
        means, S = center + m, np.exp(log_s)
        expected = np.exp(new.O + means + S**2 / 2)
        return Inferred(*(_table(a, new.index, self.tables.taxa) for a in (means, S, expected)))

    def plot(self) -> "Figure":
        """The ELBO's climb, expected against observed counts, and the correlations of taxa."""
        from plnkit.plots import plot_fit

        return plot_fit(self)

    def __repr__(self) -> str:
        (n, p), d = self.M.shape, self.tables.X.shape[1]
        state = "converged" if self.converged else "NOT converged"
        return (
            f"Poisson-lognormal fit: {n} samples, {p} taxa, {d} covariate{'s' * (d != 1)}\n"
            f"  ELBO {self.elbo:.2f} nats (with Stirling's factorials {self.elbo_stirling:.2f}), "
            f"BIC {self.bic:.2f}, {self.n_parameters} parameters\n"
            f"  {state} after {self.iterations} iterations in {self.dtype}\n"
            "  tables: coefficients, covariance, precision, latent_means, latent_deviations, "
            "fitted; methods: coefficient_table(), predict(O=, X=), infer(Y, O=, X=), plot()"
        )


def _table(values: NDArray, rows: Any, columns: tuple[str, ...]) -> "pd.DataFrame":
    with from_extras():
        import pandas as pd

    return pd.DataFrame(values, rows, columns)
