"""The host's share of a call: what `fit`, `coefficients` and `elbo` cost beside the solver.

    taskset -c 0 env OMP_NUM_THREADS=1 plnkit bench --host --repeats 15

On a GPU, this is most of a call on many samples, and it can be measured without one: the solver
runs once, and everything else of the call is repeated with its solution.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from plnkit.data import load_oaks
from plnkit.fitting import collect, prepare, send, solve_problem
from plnkit.machine import environment

STEPS = ("check", "send", "collect", "coefficients", "elbo")


def measure_host(
    replicas: Sequence[int] = (1, 10, 100),
    covariates: Sequence[str | None] = (None, "tree"),
    repeats: int = 15,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """CPU milliseconds of the process in each step of a call on the oaks, medians.

    Args:
        replicas: how often the oaks are repeated.
        covariates: as `load_oaks` takes them.
        repeats: of which the median counts.

    Returns:
        `environment` and `data`, by data set, with `n`, `p`, `iterations`, and the milliseconds of
        each of `STEPS` and `all`. "check" has the covariates' basis in it, "send" the casts and the
        copies to the device, "collect" the copies back.
    """
    data = {}
    for covariate in covariates:
        for times in replicas:
            name = f"oaks x{times}, {covariate or 'constant'}"
            progress(name)
            Y, O, X = (np.repeat(a, times, axis=0) for a in load_oaks(covariate)[:3])
            data[name] = _measure(Y, O, X, repeats)
    command = f"plnkit bench --host (replicas {list(replicas)}, {repeats} turns)"
    return {"schema": 1, "environment": environment(jax.devices()[0], command), "data": data}


def _measure(Y: Any, O: Any, X: Any, repeats: int) -> dict[str, Any]:
    solution = jax.block_until_ready(solve_problem(prepare(Y, O, X), "float32"))
    spent: dict[str, list[float]] = {step: [] for step in STEPS}
    for _ in range(repeats + 1):
        clock = [time.process_time()]
        problem = prepare(Y, O, X)
        clock.append(time.process_time())
        jax.block_until_ready(send(problem, "float32"))
        clock.append(time.process_time())
        # On a CPU, the solution is where NumPy finds it without a copy: so it is in a fit.
        fitted = collect(problem, solution, "float32")
        clock.append(time.process_time())
        _ = fitted.coefficients
        clock.append(time.process_time())
        _ = fitted.elbo
        clock.append(time.process_time())
        for step, seconds in zip(STEPS, np.diff(clock), strict=True):
            spent[step].append(1e3 * float(seconds))
    # The first turn warms up.
    medians = {step: statistics.median(each[1:]) for step, each in spent.items()}
    whole = statistics.median(map(sum, list(zip(*spent.values(), strict=True))[1:]))
    n, p = Y.shape
    return {"n": n, "p": p, "iterations": int(solution.iterations), **medians, "all": whole}


def table(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """The milliseconds as text, header first."""
    columns = (*STEPS, "all")
    lines: list[tuple[str, ...]] = [("CPU ms", *columns)]
    for name, one in result["data"].items():
        lines.append((name, *(f"{one[step]:.1f}" for step in columns)))
    return lines
