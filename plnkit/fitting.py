"""`plnkit.fit`: from a user's tables to a `Fit`."""

import math
import operator
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.sharding import NamedSharding

from plnkit.checks import Tables, check
from plnkit.design import Design, make_design
from plnkit.problems import ConvergenceWarning, warn
from plnkit.result import Fit
from plnkit.sharding import place
from plnkit.solver import MOST_ITERATIONS, Solution, solve_in_basis

# On a GPU, XLA's autotuner compiles dozens of Triton kernels for the products, which takes most of
# the first call (7 of 8 s on an H100 at n=11600) and makes later ones no faster. It is `fit`'s own:
# inside another jitted function, JAX admits no options.
_solve_arrays = jax.jit(solve_in_basis, compiler_options={"xla_gpu_enable_triton_gemm": False})


def fit(
    Y: Any,
    *,
    O: Any = None,
    X: Any = None,
    tolerance: float = 1e-5,
    max_iterations: int = MOST_ITERATIONS,
    sharding: NamedSharding | None = None,
) -> Fit:
    """Fit the Poisson-lognormal model with full covariance.

    Pandas tables are matched by name: rows of O and X to those of Y, columns of O to those of Y.
    Arrays, and tables whose rows only count from 0, are matched by position.

    In float32; data that need more digits (counts of millions with fewer samples than taxa, say)
    are fitted again in float64. Units and shifts of covariates change no digit: they are centred
    and orthonormalised in float64 first (`plnkit.design`).

    Args:
        Y: counts, (n, p), an array, a pandas table or a sparse matrix. A sample may have zeros
            alone; a taxon may not.
        O: offsets on the log scale, (n, p) or one a sample; zero when None.
        X: covariates, (n, d), with an intercept where one is wanted; an intercept alone when None.
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
    """
    problem = prepare(Y, O, X, tolerance, max_iterations, sharding)
    dtype = "float32"
    solution = solve_problem(problem, dtype)
    stuck = not solution.converged and int(solution.iterations) < problem.max_iterations
    if stuck or not np.isfinite(solution.elbo):
        dtype = "float64"
        with jax.enable_x64(True):
            solution = solve_problem(problem, dtype)
    return collect(problem, solution, dtype)


class Problem(NamedTuple):
    """What is fitted, and how."""

    tables: Tables
    design: Design
    tolerance: float
    max_iterations: int
    sharding: NamedSharding | None


def prepare(
    Y: Any,
    O: Any,
    X: Any,
    tolerance: float = 1e-5,
    max_iterations: int = MOST_ITERATIONS,
    sharding: NamedSharding | None = None,
) -> Problem:
    """What `fit` does before the solver runs: all checks, and the covariates' basis."""
    if not (math.isfinite(tolerance) and tolerance >= 0):
        raise ValueError(f"tolerance is {tolerance}; give a number of nats, 0 or more.")
    if not 1 <= operator.index(max_iterations) <= MOST_ITERATIONS:
        raise ValueError(
            f"max_iterations is {max_iterations}; give a whole number from 1 to {MOST_ITERATIONS}."
        )
    tables = check(Y, O, X)
    design = make_design(tables.X, tables.covariates)
    return Problem(tables, design, float(tolerance), operator.index(max_iterations), sharding)


def solve_problem(problem: Problem, dtype: str) -> Solution:
    """Run the solver in a precision."""
    tables, design, tolerance, limit, sharding = problem
    arrays = [np.asarray(a, dtype) for a in (tables.Y, tables.O, design.Q)]
    if sharding is None:
        return _solve_arrays(*arrays, None, tolerance, limit)
    (Y, O, Q), mask = place(arrays, sharding)
    return _solve_arrays(Y, O, Q, mask, tolerance, limit)


def collect(problem: Problem, solution: Solution, dtype: str) -> Fit:
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
    )
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
