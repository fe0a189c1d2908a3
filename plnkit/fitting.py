"""`plnkit.fit`: from a user's tables to a `Fit`."""

import math
import operator
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.sharding import NamedSharding

from plnkit.checks import Tables, check
from plnkit.covariance import KINDS, Covariance
from plnkit.design import Design, make_design
from plnkit.formula import Formula, name_taxa, read
from plnkit.offsets import compute_offsets, make_scheme
from plnkit.problems import ConvergenceWarning, warn
from plnkit.result import Fit
from plnkit.sharding import place
from plnkit.solver import MOST_ITERATIONS, Solution, solve_in_basis

# On a GPU, XLA's autotuner compiles dozens of Triton kernels for the products, which takes most of
# the first call (7 of 8 s on an H100 at n=11600) and makes later ones no faster. It is `fit`'s own:
# inside another jitted function, JAX admits no options.
_solve_arrays = jax.jit(
    solve_in_basis,
    static_argnames="covariance",
    compiler_options={"xla_gpu_enable_triton_gemm": False},
)


def fit(
    Y: Any,
    data: Any = None,
    *,
    O: Any = None,
    X: Any = None,
    weights: Any = None,
    covariance: Covariance = "full",
    tolerance: float = 1e-5,
    max_iterations: int = MOST_ITERATIONS,
    sharding: NamedSharding | None = None,
) -> Fit:
    """Fit the Poisson-lognormal model.

    Pandas tables are matched by name: rows of O and X to those of Y, columns of O to those of Y.
    Arrays, and tables whose rows only count from 0, are matched by position.

    In float32; data that need more digits (counts of millions with fewer samples than taxa, say)
    are fitted again in float64. Units and shifts of covariates change no digit: they are centred
    and orthonormalised in float64 first (`plnkit.design`).

    Args:
        Y: counts, (n, p), an array, a pandas table or a sparse matrix. A sample may have zeros
            alone; a taxon may not. Or a formula, which names them in `data`.
        data: with a formula, what it names: a mapping of vectors and tables, whose columns it
            finds by their names, too (`plnkit.formula`).
        O: offsets on the log scale, (n, p) or one a sample; zero when None. "total", "TSS" or "RLE"
            computes them from the counts (`plnkit.offsets`).
        X: covariates, (n, d), with an intercept where one is wanted; an intercept alone when None.
        weights: of the samples, (n,), 1 when None. A sample of weight 2 counts as two equal ones;
            one of weight 0 is left out of the fit, and gets the latent position that `Fit.infer`
            finds.
        covariance: "full"; "diagonal", with taxa that are independent given the covariates; or
            "spherical", with one variance for all of them (`plnkit.covariance`). The last two take
            thousands of taxa.
        tolerance: stop when a step gains about half this many nats for each sample.
        max_iterations: from 1 to 1000.
        sharding: where the samples lie when one device is too small, see `over_samples`.

    Raises:
        DataError: what is wrong with the data, with row and column.
        ValueError: a tolerance or a limit that is none.

    Warns:
        DataWarning: the data look as if something else was meant.
        ConvergenceWarning: steps still gained more than the tolerance.

    For many small data sets at once, `jax.vmap(plnkit.solve)` is the same fit on arrays.

    >>> oaks = load_oaks("tree")
    >>> fit(oaks.Y, O=oaks.O, X=oaks.X).converged
    True

    The same with a formula:

    >>> data = {"counts": oaks.Y, "depth": oaks.O, **oaks.leaves}
    >>> fit("counts ~ 1 + tree + offset(depth)", data).converged
    True
    """
    problem = prepare(
        Y,
        O,
        X,
        tolerance,
        max_iterations,
        sharding,
        data=data,
        weights=weights,
        covariance=covariance,
    )
    dtype = "float32"
    solution = solve_problem(problem, dtype)
    stuck = not solution.converged and int(solution.iterations) < problem.max_iterations
    if stuck or not np.isfinite(solution.elbo):
        dtype = "float64"
        with jax.enable_x64(True):
            solution = solve_problem(problem, dtype)
    return collect(problem, solution, dtype)


class Prepared(NamedTuple):
    """What is fitted, and how."""

    tables: Tables
    design: Design
    tolerance: float
    max_iterations: int
    sharding: NamedSharding | None
    covariance: Covariance
    formula: Formula | None
    scheme: str  # of the offsets, where they are computed from the counts, else ""


def prepare(
    Y: Any,
    O: Any,
    X: Any,
    tolerance: float = 1e-5,
    max_iterations: int = MOST_ITERATIONS,
    sharding: NamedSharding | None = None,
    *,
    data: Any = None,
    weights: Any = None,
    covariance: Covariance = "full",
) -> Prepared:
    """What `fit` does before the solver runs: all checks, and the covariates' basis."""
    if not (math.isfinite(tolerance) and tolerance >= 0):
        raise ValueError(f"tolerance is {tolerance}; give a number of nats, 0 or more.")
    if not 1 <= operator.index(max_iterations) <= MOST_ITERATIONS:
        raise ValueError(
            f"max_iterations is {max_iterations}; give a whole number from 1 to {MOST_ITERATIONS}."
        )
    if covariance not in KINDS:
        raise ValueError(f"covariance is {covariance!r}; give one of {', '.join(KINDS)}.")
    formula = None
    if isinstance(Y, str):
        Y, O, X, formula = _read_formula(Y, data, O, X)
    elif data is not None:
        raise ValueError("data goes with a formula: fit('counts ~ 1 + site', data).")
    scheme = O if isinstance(O, str) else ""
    tables = check(Y, None if scheme else O, X, weights)
    if scheme:
        offsets = compute_offsets(
            tables.Y, make_scheme(scheme, tables.Y, tables.weights), tables.samples
        )
        tables = tables._replace(O=np.broadcast_to(offsets, tables.Y.shape))
    return Prepared(
        tables,
        make_design(tables.X, tables.covariates, tables.weights),
        float(tolerance),
        operator.index(max_iterations),
        sharding,
        covariance,
        formula,
        scheme,
    )


def _read_formula(text: str, data: Any, O: Any, X: Any) -> tuple[Any, Any, Any, Formula]:
    """Counts, offsets and covariates of a formula, and the formula."""
    if X is not None:
        raise ValueError("X goes without a formula, whose right side has the covariates.")
    Y, formula, names = read(text, data)
    built = formula.build_own(names)
    if built.O is not None and O is not None:
        raise ValueError("give offsets in the formula or in O, and not in both.")
    return (
        Y,
        O if built.O is None else name_taxa(built.O, getattr(Y, "columns", None)),
        built.X,
        formula,
    )


def solve_problem(problem: Prepared, dtype: str) -> Solution:
    """Run the solver in a precision."""
    return _solve_arrays(
        *send(problem, dtype),
        problem.tolerance,
        problem.max_iterations,
        covariance=problem.covariance,
    )


def send(problem: Prepared, dtype: str) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array | None]:
    """Put Y, O, the covariates' basis, and the weights, on the device or devices."""
    tables = problem.tables
    arrays = [np.asarray(a, dtype) for a in (tables.Y, tables.O, problem.design.Q)]
    weights = None if tables.weights is None else tables.weights.astype(dtype)
    if problem.sharding is not None:
        (Y, O, Q), weights = place(arrays, problem.sharding, weights)
        return Y, O, Q, weights
    Y, O, Q = map(jax.device_put, arrays)
    return Y, O, Q, None if weights is None else jax.device_put(weights)


def collect(problem: Prepared, solution: Solution, dtype: str) -> Fit:
    """What `fit` does after the solver has run."""
    n, steps = len(problem.tables.Y), int(solution.iterations)
    fitted = Fit(
        tables=problem.tables,
        design=problem.design,
        M=np.asarray(solution.latent.M)[:n],
        log_S=np.asarray(solution.latent.log_S)[:n],
        trace=np.asarray(solution.trace)[:steps],
        converged=bool(solution.converged),
        dtype=dtype,
        covariance_kind=problem.covariance,
        formula=problem.formula,
        scheme=problem.scheme,
    )
    if fitted.weights is not None and not fitted.weights.all():
        fitted = fitted.place_unweighted()
    if not fitted.converged:
        limit = problem.max_iterations
        how = (
            f"that was the limit; give more than max_iterations={limit}"
            if steps >= limit < MOST_ITERATIONS
            else f"a tolerance above {problem.tolerance:g} ends sooner"
        )
        warn(
            f"the fit did not converge in {steps} iterations: {how}. Its figures are those of the "
            "last iteration.",
            ConvergenceWarning,
        )
    return fitted
