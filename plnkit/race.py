"""The race against peers: seconds of a whole fit, and to pyPLNmodels' final ELBO.

Warm: contestants take turns in one process, medians. Cold: a fresh process each, imports and
compilation included. JAX's and PyTorch's threads stay as they come. One float64 judge computes the
ELBO of every contestant.
"""

import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import numpy as np
from numpy.typing import NDArray

from plnkit import peers
from plnkit.data import autoregressive_root, load_oaks
from plnkit.fitting import fit
from plnkit.machine import environment
from plnkit.problems import ConvergenceWarning
from plnkit.result import Fit
from plnkit.solver import MOST_ITERATIONS

PYPLN = "pyPLNmodels"
OURS = "plnkit"  # to convergence, as a user calls it, coefficients included
TO_THEIRS = "plnkit, to pyPLNmodels' ELBO"
RPROP_ITERATIONS = 400  # pyPLNmodels' limit, which it reaches

_COLD = {
    OURS: ("import plnkit; Y, O, X = plnkit.load_oaks({covariate!r})[:3];plnkit.fit(Y, O=O, X=X)"),
    PYPLN: (
        "from plnkit import peers, load_oaks; o = load_oaks({covariate!r});"
        "peers.pyplnmodels(*o[:3])"
    ),
}

Progress = Callable[[str], None]
Data = tuple[NDArray, NDArray, NDArray]


class Shape(NamedTuple):
    """Simulated data: n samples of p taxa, and their mean log count, with an intercept alone."""

    n: int
    p: int
    mean: float


SIMULATED = {
    "many samples": Shape(5000, 20, 1.0),
    "more taxa than samples": Shape(60, 150, 1.0),
    "few zeros": Shape(300, 50, 3.0),
    "many zeros": Shape(300, 50, -1.0),
}


def race(
    replicas: Sequence[int] = (1, 10, 100),
    covariates: Sequence[str | None] = (None, "tree"),
    simulated: Sequence[str] = tuple(SIMULATED),
    repeats: int = 5,
    progress: Progress = lambda what: None,
    *,
    quick: bool = False,
) -> dict[str, Any]:
    """Every contestant on oaks, with each covariate and repeated so many times, and simulated data.

    The bare loops in PyTorch run on the oaks alone.

    Args:
        quick: leave out the bare loops and the cold starts, which take minutes.

    Returns:
        `environment` and `races`, by data set: `elbo` reached (Stirling, as pyPLNmodels reports
        it), our `iterations` to convergence and `iterations_to_theirs` (None where we do not get
        there), `warm_seconds`, `ratio` to our fit's, and for one copy of the oaks `cold_seconds`.
    """
    races = {}
    for covariate in covariates:
        for times in replicas:
            name = f"oaks x{times}, {covariate or 'constant'}"
            Y, O, X = (np.repeat(a, times, axis=0) for a in load_oaks(covariate)[:3])
            tell = _within(name, progress)
            races[name] = _one((Y, O, X), repeats, tell, with_loops=not quick)
            if times == 1 and not quick:
                tell("cold")
                races[name] |= _cold(covariate, repeats)
    for name in simulated:
        shape = SIMULATED[name]
        full = f"{name} (n={shape.n}, p={shape.p})"
        races[full] = _one(simulate(shape), repeats, _within(full, progress), with_loops=False)
    device = jax.devices()[0]
    command = f"plnkit bench --peers (replicas {list(replicas)}, {repeats} turns)"
    return {"schema": 2, "environment": environment(device, command), "races": races}


def _within(name: str, progress: Progress) -> Progress:
    return lambda what: progress(f"{name}: {what}")


def simulate(shape: Shape) -> Data:
    """Counts with correlated taxa; no sample and no taxon has zeros alone."""
    n, p, mean = shape
    r = np.random.default_rng(0)
    Z = mean + r.normal(size=(n, p)) @ autoregressive_root(p).T
    Y = r.poisson(np.exp(Z)).astype(np.float32)
    Y[Y.sum(axis=1) == 0, 0] = 1
    Y[0, Y.sum(axis=0) == 0] = 1
    return Y, np.zeros((n, p), np.float32), np.ones((n, 1), np.float32)


def _one(data: Data, repeats: int, progress: Progress, with_loops: bool) -> dict[str, Any]:
    progress("first runs")
    full, theirs = fit_data(data), peers.judge(peers.pyplnmodels(*data), data)
    fewest = iterations_to(theirs, data) if full.elbo_stirling >= theirs else None
    runs: dict[str, Callable[[], Any]] = {OURS: partial(_fit_whole, data)}
    if fewest is not None:
        runs[TO_THEIRS] = partial(_fit_whole, data, fewest)
    runs[PYPLN] = partial(peers.pyplnmodels, *data)
    if with_loops:
        runs["PyTorch eager"] = partial(peers.torch_rprop, *data, RPROP_ITERATIONS, False)
        runs["PyTorch compiled"] = partial(peers.torch_rprop, *data, RPROP_ITERATIONS, True)
    reached = {}
    for contestant, run in runs.items():
        result = run()  # compiles
        ours = isinstance(result, Fit)
        reached[contestant] = result.elbo_stirling if ours else peers.judge(result, data)
    warm: dict[str, list[float]] = {contestant: [] for contestant in runs}
    for turn in range(repeats):
        for contestant, run in runs.items():
            progress(f"turn {turn + 1} of {repeats}: {contestant}")
            run()  # caches are its own again, and the last contestant's threads at rest
            start = time.perf_counter()
            run()
            warm[contestant].append(time.perf_counter() - start)
    medians = {contestant: statistics.median(spent) for contestant, spent in warm.items()}
    return {
        "zeros": float(np.mean(data[0] == 0)),
        "elbo": reached,
        "iterations": full.iterations,
        "iterations_to_theirs": fewest,
        "warm_seconds": medians,
        "warm_seconds_all": warm,
        "ratio": {contestant: spent / medians[OURS] for contestant, spent in medians.items()},
    }


def fit_data(data: Data, max_iterations: int = MOST_ITERATIONS) -> Fit:
    """The fit of (Y, O, X), which may be stopped early."""
    Y, O, X = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit(Y, O=O, X=X, max_iterations=max_iterations)


def _fit_whole(data: Data, max_iterations: int = MOST_ITERATIONS) -> Fit:
    """The fit with all that a user wants of it: the coefficients are computed when asked for."""
    found = fit_data(data, max_iterations)
    _ = found.coefficients
    return found


def iterations_to(target: float, data: tuple[Any, Any, Any]) -> int:
    """The fewest iterations after which our fit's float64 ELBO is at least the target.

    Raises:
        RuntimeError: it does not get there.
    """
    full = fit_data(data)
    if full.elbo_stirling < target:
        raise RuntimeError(f"The fit ends at {full.elbo_stirling}, below the target {target}.")
    # The trace is float32: begin a little before it says so.
    trace = full.trace + full.elbo_stirling - full.elbo
    first = int(np.argmax(trace >= target - 1e-6 * abs(target)))
    return next(
        k
        for k in range(first + 1, full.iterations + 1)
        if fit_data(data, k).elbo_stirling >= target
    )


def _cold(covariate: str | None, repeats: int) -> dict[str, Any]:
    spent: dict[str, list[float]] = {name: [] for name in _COLD}
    for _ in range(repeats):
        for name, code in _COLD.items():
            start = time.perf_counter()
            command = [sys.executable, "-c", code.format(covariate=covariate)]
            subprocess.run(command, check=True, capture_output=True)
            spent[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(seconds) for name, seconds in spent.items()}
    return {"cold_seconds": medians, "cold_ratio": medians[PYPLN] / medians[OURS]}


def table(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """The races as text, header first: seconds with the ELBO, and how many times as fast we are."""
    contestants = (OURS, TO_THEIRS, PYPLN, "PyTorch eager", "PyTorch compiled")
    shown = [c for c in contestants if any(c in r["elbo"] for r in result["races"].values())]
    lines: list[tuple[str, ...]] = [("data", *shown, "faster", "to their ELBO", "cold")]
    for name, one in result["races"].items():
        seconds, elbos = one["warm_seconds"], one["elbo"]
        cells = [f"{seconds[c]:.3f} s ({elbos[c]:.2f})" if c in elbos else "" for c in shown]
        ratios = [
            f"{seconds[PYPLN] / seconds[ours]:.1f}x" if ours in seconds else "not reached"
            for ours in (OURS, TO_THEIRS)
        ]
        cold = f"{one['cold_ratio']:.1f}x" if "cold_ratio" in one else ""
        lines.append((name, *cells, *ratios, cold))
    return lines
