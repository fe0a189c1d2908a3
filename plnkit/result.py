"""What `plnkit.fit` returns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np
import scipy
from numpy.typing import NDArray

from plnkit import criteria, estimates
from plnkit.alignment import as_pandas, is_pandas
from plnkit.checks import Tables, check_new
from plnkit.covariance import Covariance, count_parameters
from plnkit.design import Design
from plnkit.extras import from_extras
from plnkit.formula import Formula, name_taxa
from plnkit.new_samples import infer
from plnkit.offsets import compute_offsets, make_scheme
from plnkit.problems import ConvergenceWarning, DataError, DataWarning, warn
from plnkit.separation import find_infinite
from plnkit.standard_errors import MEMORY, Fitted, influence, standard_errors

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Estimates(NamedTuple):
    """All parameters in float64, M the whole latent mean (X B included)."""

    B: NDArray  # (d, p)
    Sigma: NDArray  # (p, p); of a diagonal or spherical covariance the diagonal, (p,)
    Omega: NDArray  # the same of its inverse
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
        covariance_kind: "full", "diagonal" or "spherical".
        formula: that it was fitted with, None without one.
        scheme: "total", "TSS" or "RLE" where offsets were computed from the counts, else "".
    """

    tables: Tables
    design: Design
    M: NDArray
    log_S: NDArray
    trace: NDArray
    converged: bool
    dtype: str
    covariance_kind: Covariance = "full"
    formula: Formula | None = None
    scheme: str = ""

    @property
    def weights(self) -> NDArray | None:
        """Of the samples, (n,) float64; None where none were given."""
        return self.tables.weights

    @cached_property
    def _w(self) -> NDArray:
        return np.ones(len(self.M)) if self.weights is None else self.weights

    @property
    def S(self) -> NDArray:
        """Latent standard deviation, (n, p), in the precision of the fit."""
        return np.exp(self.log_S)

    @cached_property
    def parameters(self) -> Estimates:
        """B, Sigma, Omega, M, S."""
        M, log_S = self.M.astype(np.float64), self.log_S.astype(np.float64)
        return Estimates(self._B, self._Sigma, self._Omega, M, np.exp(log_S))

    # Each on its own: a product with n p^2 terms is computed when something asks for it, and once.
    @cached_property
    def _B_Q(self) -> NDArray:
        return estimates.regress(self.M, self.design.Q, self.weights)

    @cached_property
    def _B(self) -> NDArray:
        return self.design.coefficients(self._B_Q)

    @cached_property
    def _Sigma(self) -> NDArray:
        return estimates.covariance(
            self.M, self.log_S, self.design.Q, self._B_Q, self.weights, self.covariance_kind
        )

    @property
    def _Omega(self) -> NDArray:
        return np.linalg.inv(self._Sigma) if self._Sigma.ndim == 2 else 1 / self._Sigma

    @property
    def _variances(self) -> NDArray:
        return np.diagonal(self._Sigma) if self._Sigma.ndim == 2 else self._Sigma

    @cached_property
    def _without_factorials(self) -> float:
        """The ELBO in nats, less the log-factorials of the counts."""
        t, w, Sigma = self.tables, self._w, self._Sigma
        entries = w @ estimates.poisson_part(self.M, self.log_S, t.Y, t.O)
        log_det = np.linalg.slogdet(Sigma)[1] if Sigma.ndim == 2 else np.log(Sigma).sum()
        return entries - w.sum() / 2 * log_det

    @cached_property
    def elbo(self) -> float:
        """The ELBO in nats, in float64, with exact log-factorials."""
        return float(self._without_factorials - self._w @ estimates.log_factorials(self.tables.Y))

    @cached_property
    def elbo_stirling(self) -> float:
        """The same with Stirling's log-factorials, comparable with pyPLNmodels' `elbo`."""
        stirling = estimates.log_factorials(self.tables.Y, "stirling")
        return float(self._without_factorials - self._w @ stirling)

    @property
    def sample_elbos(self) -> "pd.Series":
        """What each sample adds to the ELBO, in nats; with weights, it is their weighted sum.

        A sample far below the others is one that the model does not expect.
        """
        with from_extras():
            import pandas as pd

        t = self.tables
        R = self.M - self.design.Q @ self._B_Q
        S2 = np.exp(2 * self.log_S.astype(np.float64))
        poisson = estimates.poisson_part(self.M, self.log_S, t.Y, t.O)
        poisson -= estimates.log_factorials(t.Y)
        return pd.Series(poisson + criteria.gaussian_part(R, S2, self._Omega), t.samples)

    @property
    def iterations(self) -> int:
        return len(self.trace)

    @property
    def n_parameters(self) -> int:
        """Free parameters of the model: coefficients, and those of the covariance.

        A full one has p (p + 1) / 2, a diagonal one p, and a spherical one 1.
        """
        d, p = self.tables.X.shape[1], self.M.shape[1]
        return d * p + count_parameters(p, self.covariance_kind)

    @property
    def aic(self) -> float:
        """-ELBO + n_parameters, smaller is better: half of the usual AIC, as pyPLNmodels has it."""
        return -self.elbo + self.n_parameters

    @property
    def bic(self) -> float:
        """-ELBO + n_parameters log(n) / 2, smaller is better, the sign pyPLNmodels gives it.

        n is the number of samples, or the sum of their weights. PLNmodels has the other sign.
        """
        return float(-self.elbo + self.n_parameters * np.log(self._w.sum()) / 2)

    @property
    def icl(self) -> float:
        """BIC + entropy of the latent positions, smaller is better.

        It prefers fits that are sure where the samples are. PLNmodels has the other sign;
        pyPLNmodels has another number (see `plnkit.criteria`).
        """
        return self.bic + criteria.entropy(self.log_S, self._w)

    @cached_property
    def r_squared(self) -> float:
        """The share of the Poisson deviance that latent positions explain, as PLNmodels has it.

        0 is the Poisson regression on the same covariates, 1 a mean for each count.
        """
        t = self.tables
        return criteria.r_squared(t.Y, t.O, self.M, self.design.Q, self._w)

    @property
    def coefficients(self) -> "pd.DataFrame":
        """B: covariates by taxa, on the log scale."""
        return _table(self._B, self.tables.covariates, self.tables.taxa)

    @property
    def covariance(self) -> "pd.DataFrame":
        """Sigma: taxa by taxa; of thousands of taxa, `variances` is all that is not 0."""
        Sigma = self._Sigma if self._Sigma.ndim == 2 else np.diag(self._Sigma)
        return _table(Sigma, self.tables.taxa, self.tables.taxa)

    @property
    def variances(self) -> "pd.Series":
        """Sigma's diagonal."""
        with from_extras():
            import pandas as pd

        return pd.Series(self._variances, self.tables.taxa)

    @property
    def precision(self) -> "pd.DataFrame":
        """Omega = Sigma^-1: taxa by taxa."""
        Omega = self._Omega if self._Omega.ndim == 2 else np.diag(self._Omega)
        return _table(Omega, self.tables.taxa, self.tables.taxa)

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
        `plnkit.standard_errors`). NaN where a coefficient has no finite estimate.

        Raises:
            MemoryError: it takes more than 1 GiB beside the result.
        """
        return self._for_taxa(influence)

    @property
    def standard_errors(self) -> "pd.DataFrame":
        """Of the coefficients, covariates by taxa: a sandwich, profiled over M, S and Sigma.

        NaN where a coefficient has no finite estimate, because a taxon was never seen on one side
        of a covariate (see `plnkit.separation`). There are none for the covariance: its
        variational estimate has a bias of the size of its error.

        Raises:
            MemoryError: it takes more than 1 GiB; `coefficient_table(memory=...)` gives it more.
        """
        return _table(self._errors(MEMORY), self.tables.covariates, self.tables.taxa)

    def _for_taxa(self, compute: Callable[..., NDArray], **options: Any) -> NDArray:
        """Compute what standard errors are made of; where taxa are independent, one by one.

        Raises:
            DataError: they are not derived for this fit.
        """
        if self.weights is not None:
            raise DataError(
                "weights",
                "there are no standard errors of a weighted fit: their size depends on whether a "
                "weight is a number of samples or the reliability of one. Give samples as often as "
                "they count, or fit bootstrap samples.",
            )
        if self.covariance_kind == "spherical":
            raise DataError(
                "covariance",
                "there are no standard errors with a spherical covariance. Fit a diagonal or a "
                "full one, or bootstrap samples.",
            )
        t, Q, S = self.tables, self.design.Q, self.S
        change = self.design.coefficients(np.eye(len(self.design.names)))
        wanted = ~find_infinite(t.Y, self.design)
        p = self.M.shape[1]
        one_by_one = self.covariance_kind == "diagonal"
        parts = [slice(j, j + 1) for j in range(p)] if one_by_one else [slice(None)]
        found = (
            compute(
                Fitted(t.Y[:, j], t.O[:, j], Q, self.M[:, j], S[:, j], change, wanted[:, j]),
                **options,
            )
            for j in parts
        )
        return np.concatenate(list(found), axis=1)

    def _errors(self, memory: int) -> NDArray:
        """The standard errors, (d, p): computed once, whatever the budget is."""
        kept = self.__dict__  # as `cached_property` does
        if "influence" in kept:
            return np.sqrt((self.influence**2).sum(axis=-1))
        if "_found_errors" not in kept:
            kept["_found_errors"] = self._for_taxa(standard_errors, memory=memory)
        return kept["_found_errors"]

    def coefficient_table(self, level: float = 0.95, *, memory: int = MEMORY) -> "pd.DataFrame":
        """Every coefficient in a row, with its error, z, two-sided p-value and interval.

        Args:
            level: of the normal confidence intervals, between 0 and 1.
            memory: bytes that standard errors may take, 1 GiB when not given.

        Raises:
            ValueError: the level is not between 0 and 1.
            MemoryError: they take more, with how much.
        """
        with from_extras():
            import pandas as pd

        if not 0 < level < 1:
            raise ValueError(f"the level is {level}; it lies between 0 and 1, as 0.95 does.")
        B, errors = self._B.ravel(), self._errors(memory).ravel()
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
            O: offsets on the log scale, (m, p) or (m,). When None, those of the formula, and zero
                where it has none.
            X: covariates, (m, d). After a fit with a formula, its variables: a table, or a mapping
                of vectors and tables.

        Raises:
            DataError: shapes or names do not fit, an entry is not a finite number, a level is not
                among those of the fit, or offsets that the fit computed from counts are missing.
        """
        O, X = self._read_new(O, X)
        if O is None and self.scheme:
            raise DataError(
                "offsets",
                f"those of the fit were computed from counts ({self.scheme}), of which a "
                "prediction has none. Give O, the log of the effort in the same unit.",
            )
        new = check_new(self.tables.covariates, self.tables.taxa, O, X)
        self._doubt_no_offsets(O)
        means = np.exp(new.O + new.X @ self._B + self._variances / 2)
        return _table(means, new.index, self.tables.taxa)

    def infer(self, Y: Any, *, O: Any = None, X: Any) -> Inferred:
        """The latent positions of new samples from their counts, the model as it is.

        Where some counts of a sample are not known, the others tell of them: `expected` is then a
        prediction, given these. Tables with names are matched by them, arrays by position.

        Args:
            Y: counts, (m, p), NaN where one is not known.
            O: offsets on the log scale, (m, p) or (m,). When None, those of the formula, or what
                the fit computes them by, and zero without these.
            X: covariates, (m, d). After a fit with a formula, its variables: a table, or a mapping
                of vectors and tables.

        Raises:
            DataError: shapes or names do not fit, an entry is no count, or a level is not among
                those of the fit.
        """
        O, X = self._read_new(O, X)
        new = check_new(self.tables.covariates, self.tables.taxa, O, X, Y)
        if O is None and self.scheme and new.Y is not None:
            m = len(new.Y)
            names = tuple(map(str, range(m) if new.index is None else new.index))
            scheme = make_scheme(self.scheme, self.tables.Y, self.weights)
            offsets = compute_offsets(new.Y, scheme, names)
            new = new._replace(O=np.broadcast_to(offsets, new.Y.shape))
        else:
            self._doubt_no_offsets(O)
        center = new.X @ self._B
        m, v, converged = self._infer(new.Y, new.O + center)
        if not converged.all():
            names = np.arange(len(m)) if new.index is None else np.asarray(new.index)
            warn(
                f"the positions of {(~converged).sum()} of {len(m)} samples are not those of the "
                f"best ELBO (the first is sample {names[~converged][0]}): their counts contradict "
                "the model. Check their offsets and covariates.",
                ConvergenceWarning,
            )
        means = center + m
        return Inferred(
            *(
                _table(a, new.index, self.tables.taxa)
                for a in (means, np.sqrt(v), np.exp(new.O + means + v / 2))
            )
        )

    def _infer(self, Y: Any, eta: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Of counts (m, p): latent means less X B and variances, (m, p), and convergence, (m,)."""
        Sigma = self._Sigma
        with jax.enable_x64(True):
            if Sigma.ndim == 2:
                mean, variance, converged = map(np.asarray, infer(Y, eta, Sigma))
                return mean, variance, converged
            # Taxon by taxon, which are independent.
            each = jax.vmap(infer, (1, 1, 0), 1)
            found = each(Y[..., None], eta[..., None], Sigma[:, None, None])
            return (
                np.asarray(found.mean).reshape(eta.shape),
                np.asarray(found.variance).reshape(eta.shape),
                np.atleast_1d(np.all(found.converged, axis=1)),
            )

    def place_unweighted(self) -> "Fit":
        """The fit with the latent positions that `infer` finds for samples of weight 0."""
        out = self._w == 0
        t, center = self.tables, self.design.Q[out] @ self._B_Q
        m, v, _ = self._infer(t.Y[out].astype(np.float64), t.O[out] + center)
        M, log_S = self.M.copy(), self.log_S.copy()
        M[out], log_S[out] = center + m, np.log(v) / 2
        return replace(self, M=M, log_S=log_S)

    def _read_new(self, O: Any, X: Any) -> tuple[Any, Any]:
        """Offsets and covariates of new samples: as they are, or from the formula's variables."""
        O, X = as_pandas("offsets", O), as_pandas("covariates", X)
        if self.formula is not None and (is_pandas(X) or isinstance(X, Mapping)):
            built = self.formula.build(X, with_offsets=O is None)
            X = built.X
            if built.O is not None:
                O = name_taxa(built.O, self.tables.taxa)
            if built.index is None:  # arrays have no names: rows that pandas counts are none
                X = X.to_numpy()
                if built.O is not None:
                    O = (O[list(self.tables.taxa)] if O.shape[1] > 1 else O).to_numpy()
        return O, X

    def _doubt_no_offsets(self, O: Any) -> None:
        if O is None and self.tables.O.any():
            warn(
                "offsets: the fit had some, and none are given here. They are taken as 0, an "
                "effort of 1 in the fit's unit. Give O; np.zeros(m) says that this is meant.",
                DataWarning,
            )

    def plot(self) -> "Figure":
        """The ELBO's climb, expected against observed counts, and the correlations of taxa."""
        from plnkit.plots import plot_fit

        known = self.tables
        return plot_fit(
            self.trace, known.Y, self.fitted, self.parameters.Sigma, known.taxa, self.dtype
        )

    def __repr__(self) -> str:
        (n, p), d = self.M.shape, self.tables.X.shape[1]
        state = "converged" if self.converged else "NOT converged"
        kind = "" if self.covariance_kind == "full" else f", {self.covariance_kind} covariance"
        return (
            f"Poisson-lognormal fit: {n} samples, {p} taxa, {d} covariate{'s' * (d != 1)}{kind}\n"
            f"  ELBO {self.elbo:.2f} nats (with Stirling's factorials {self.elbo_stirling:.2f}), "
            f"BIC {self.bic:.2f}, {self.n_parameters} parameters\n"
            f"  {state} after {self.iterations} iterations in {self.dtype}\n"
            "  tables: coefficients, covariance, precision, latent_means, latent_deviations, "
            "fitted; methods: coefficient_table(), predict(O=, X=), infer(Y, O=, X=), plot()"
        )


def _table(values: NDArray, rows: Any, columns: tuple[str, ...]) -> "pd.DataFrame":
    with from_extras():
        import pandas as pd

    return pd.DataFrame(values, rows, columns, copy=True)  # the fit keeps its own
