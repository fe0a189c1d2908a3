"""`plnkit.fit`: from a user's tables to a `Fit`."""

import inspect
from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding

from plnkit.checks import Tables, check
from plnkit.result import Fit
from plnkit.sharding import place
from plnkit.solver import MOST_ITERATIONS, Solution, solve

# On a GPU, XLA's autotuner compiles dozens of Triton kernels for the products, which takes most of
# the first call (7 of 8 s on an H100 at n=11600) and makes later ones no faster. It is `fit`'s own:
# inside another jitted function, JAX admits no options.
_solve_arrays = jax.jit(
    inspect.unwrap(solve), compiler_options={"xla_gpu_enable_triton_gemm": False}
)


def fit(
    Y: Any,
    O: Any = None,
    X: Any = None,
    *,
    tolerance: float = 1e-5,
    max_iterations: int = MOST_ITERATIONS,
    sharding: NamedSharding | None = None,
) -> Fit:
    """Fit the Poisson-lognormal model with full covariance.

    In float32; data that need more digits (counts of millions with fewer samples than taxa, say)
    are fitted again in float64.

    Args:
        Y: counts, (n, p), an array or a pandas table.
        O: offsets on the log scale, (n, p) or one a sample; zero when None.
        X: covariates, (n, d), with an intercept where one is wanted; an intercept alone when None.
        tolerance: stop when a step gains about half this many nats for each sample.
        max_iterations: at most 1000.
        sharding: where the samples lie when one device is too small, see `over_samples`.

    Raises:
        DataError: what is wrong with the data, with row and column.

    For many small data sets at once, `jax.vmap(plnkit.solve)` is the same fit on arrays.
    """
    tables = check(Y, O, X)
    dtype = "float32"
    solution = _solve(tables, dtype, tolerance, max_iterations, sharding)
    stuck = not solution.converged and int(solution.iterations) < max_iterations
    if stuck or not np.isfinite(solution.elbo):
        dtype = "float64"
        with jax.enable_x64(True):
            solution = _solve(tables, dtype, tolerance, max_iterations, sharding)
    n = len(tables.Y)
    return Fit(
        tables=tables,
        M=np.asarray(solution.latent.M)[:n],
        S=np.exp(np.asarray(solution.latent.log_S)[:n]),
        trace=np.asarray(solution.trace)[: int(solution.iterations)],
        converged=bool(solution.converged),
        dtype=dtype,
    )


def _solve(
    tables: Tables,
    dtype: str,
    tolerance: float,
    max_iterations: int,
    sharding: NamedSharding | None,
) -> Solution:
    arrays = [np.asarray(a, dtype) for a in tables[:3]]
    if sharding is None:
        return _solve_arrays(*arrays, None, tolerance, max_iterations)
    (Y, O, X), mask = place(arrays, sharding)
    return _solve_arrays(Y, O, X, mask, tolerance, max_iterations)
