"""The race against peers: seconds to pyPLNmodels' final ELBO, as one float64 judge sees it.

Warm: contestants take turns in one process, medians. Cold: a fresh process each, imports and
compilation included. JAX's and PyTorch's threads stay as they come.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import numpy as np

from plnkit import peers
from plnkit.data import load_oaks
from plnkit.fitting import fit
from plnkit.machine import environment

PYPLN = "pyPLNmodels"
OURS = "plnkit"
RPROP_ITERATIONS = 400  # pyPLNmodels' limit, which it reaches

_COLD = {
    OURS: (
        "import plnkit; o = plnkit.load_oaks({covariate!r});"
        "plnkit.fit(o.Y, o.O, o.X, max_iterations={iterations})"
    ),
    PYPLN: (
        "from plnkit import peers, load_oaks; o = load_oaks({covariate!r});"
        "peers.pyplnmodels(*o[:3])"
    ),
}


def race(
    replicas: Sequence[int] = (1, 10, 100),
    covariates: Sequence[str | None] = (None, "tree"),
    repeats: int = 5,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Every contestant on oaks, with each covariate and repeated so many times.

    Returns:
        `environment` and `races`, by data set: `elbo` reached (Stirling, as pyPLNmodels reports
        it), our iterations, `warm_seconds`, `ratio` to ours, and for one copy `cold_seconds`.
    """
    races = {}
    for covariate in covariates:
        for times in replicas:
            name = f"oaks x{times}, {covariate or 'constant'}"
            races[name] = _one(name, covariate, times, repeats, progress)
    device = jax.devices()[0]
    command = f"plnkit bench --peers (replicas {list(replicas)}, {repeats} turns)"
    return {"schema": 1, "environment": environment(device, command), "races": races}


def _one(name: str, covariate, times: int, repeats: int, progress) -> dict[str, Any]:
    oaks = load_oaks(covariate)
    data = np.repeat(oaks.Y, times, 0), np.repeat(oaks.O, times, 0), np.repeat(oaks.X, times, 0)
    progress(f"{name}: first runs")
    target = peers.judge(peers.pyplnmodels(*data), data)
    iterations = iterations_to(target, data)
    runs: dict[str, Callable[[], Any]] = {
        OURS: partial(fit, *data, max_iterations=iterations),
        PYPLN: partial(peers.pyplnmodels, *data),
        "PyTorch eager": partial(peers.torch_rprop, *data, RPROP_ITERATIONS, False),
        "PyTorch compiled": partial(peers.torch_rprop, *data, RPROP_ITERATIONS, True),
    }
    reached = {}
    for contestant, run in runs.items():
        result = run()  # compiles
        reached[contestant] = (
            result.elbo_stirling if contestant == OURS else peers.judge(result, data)
        )
    warm: dict[str, list[float]] = {contestant: [] for contestant in runs}
    for turn in range(repeats):
        for contestant, run in runs.items():
            progress(f"{name}: turn {turn + 1} of {repeats}: {contestant}")
            run()  # caches are its own again, and the last contestant's threads at rest
            start = time.perf_counter()
            run()
            warm[contestant].append(time.perf_counter() - start)
    medians = {contestant: statistics.median(spent) for contestant, spent in warm.items()}
    result = {
        "elbo": reached,
        "iterations": iterations,
        "warm_seconds": medians,
        "warm_seconds_all": warm,
        "ratio": {contestant: spent / medians[OURS] for contestant, spent in medians.items()},
    }
    if times == 1:
        progress(f"{name}: cold")
        cold = _cold(covariate, iterations, repeats)
        result["cold_seconds"] = cold
        result["cold_ratio"] = cold[PYPLN] / cold[OURS]
    return result


def iterations_to(target: float, data: tuple[Any, Any, Any]) -> int:
    """The fewest iterations after which our fit's float64 ELBO is at least the target.

    Raises:
        RuntimeError: it does not get there.
    """
    full = fit(*data)
    if full.elbo_stirling < target:
        raise RuntimeError(f"The fit ends at {full.elbo_stirling}, below the target {target}.")
    # The trace is float32: begin a little before it says so.
    trace = full.trace + full.elbo_stirling - full.elbo
    first = int(np.argmax(trace >= target - 1e-6 * abs(target)))
    return next(
        k
        for k in range(first + 1, full.iterations + 1)
        if fit(*data, max_iterations=k).elbo_stirling >= target
    )


def _cold(covariate: str | None, iterations: int, repeats: int) -> dict[str, float]:
    spent: dict[str, list[float]] = {name: [] for name in _COLD}
    for _ in range(repeats):
        for name, code in _COLD.items():
            code = code.format(covariate=covariate, iterations=iterations)
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
            spent[name].append(time.perf_counter() - start)
    return {name: statistics.median(seconds) for name, seconds in spent.items()}


def table(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """The races as text, header first."""
    contestants = list(next(iter(result["races"].values()))["warm_seconds"])
    lines: list[tuple[str, ...]] = [("data", *contestants, "faster than pyPLNmodels", "cold")]
    for name, one in result["races"].items():
        cells = [f"{one['warm_seconds'][c]:.3f} s ({one['elbo'][c]:.2f})" for c in contestants]
        cold = f"{one['cold_ratio']:.1f}x" if "cold_ratio" in one else ""
        lines.append((name, *cells, f"{one['ratio'][PYPLN]:.1f}x", cold))
    return lines
