"""The ladder, measured: compile and run time apart, compilations, ELBO reached.

    python -m plnkit.benchmark --device gpu --replicas 100 --json ladder.json

needs jax, optax and NumPy alone; rows for PyTorch are there where torch is. Every run has arrays
ready on the device before it and waits for its results; the rows take turns, and a row's time is
the median of its turns.
"""

import argparse
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import jax
import numpy as np

from plnkit import peers, reference
from plnkit.compile_counts import compile_counts
from plnkit.data import load_oaks
from plnkit.ladder import LEVELS
from plnkit.machine import Device, bandwidth, environment, find_device
from plnkit.model import profile
from plnkit.pieces import floor_seconds, time_pieces
from plnkit.solver import solve

BASELINE = "no JIT"
SOLVER = "L-BFGS solver"
NOT_ONE_PROGRAM = (BASELINE, "1 jitted step")
TORCH = {"PyTorch eager": False, "PyTorch compiled": True}
# A baseline's iterations cost the same from first to last: a few say what a thousand would.
SLOW_ITERATIONS = 50

Row = dict[str, Any]
Runs = dict[str, tuple[Callable[[], Any], int]]


def ladder(
    device: Device,
    replicas: int = 1,
    n_iterations: int = 1000,
    repeats: int = 5,
    progress: Callable[[str], None] = lambda what: None,
    *,
    torch: bool = True,
) -> Row:
    """Measure every level, the solver and, where torch is, PyTorch on oaks repeated `replicas` x.

    Args:
        progress: called with what runs next.
        torch: whether to measure PyTorch.

    Returns:
        `environment`, the floor (bytes over the bandwidth measured here), `pieces_us` of an
        iteration, and `rows`.
    """
    host = tuple(np.repeat(a, replicas, axis=0) for a in load_oaks()[:3])
    n, p = host[0].shape
    with jax.default_device(device):
        data = jax.block_until_ready(tuple(jax.device_put(a, device) for a in host))
        runs = _runs(data, host, device, n_iterations, torch)
        rows = {}
        for name, (run, iterations) in runs.items():
            progress(f"{name}: first run")
            rows[name] = _first(name, run, iterations, host)
        times: dict[str, list[float]] = {name: [] for name in runs}
        for turn in range(repeats):
            for name, (run, _) in runs.items():
                progress(f"turn {turn + 1} of {repeats}: {name}")
                start = time.perf_counter()
                with compile_counts() as compiling:
                    jax.block_until_ready(run())
                spent = time.perf_counter() - start
                times[name].append(spent - compiling["compile_seconds"])
                rows[name]["compilations_later"] = compiling["compilations"]
        progress("memory")
        with ThreadPoolExecutor() as pool:  # each compiles once more
            sizes = pool.map(lambda name: _memory(name, data, n_iterations), rows)
        for (name, row), size in zip(rows.items(), sizes, strict=True):
            row["bytes"] = size
            row["run_seconds"] = statistics.median(times[name])
            row["run_seconds_all"] = times[name]
            row["ms_per_iteration"] = 1e3 * row["run_seconds"] / row["iterations"]
            if name in TORCH:  # its compiler tells us nothing
                row["compile_seconds"] = row["first_call_seconds"] - row["run_seconds"]
        for row in rows.values():
            row["speedup"] = rows[BASELINE]["ms_per_iteration"] / row["ms_per_iteration"]
        progress("bandwidth and pieces")
        speed = bandwidth(device)
        floors = {k: 1e3 * floor_seconds(k, n, p, speed) for k in ("ladder", "solver")}
        pieces = time_pieces(n, p, device)
    return {
        "schema": 1,
        "environment": environment(device, " ".join(["python -m plnkit.benchmark", *sys.argv[1:]])),
        "data": {"n": n, "p": p, "replicas": replicas, "dtype": "float32"},
        "bandwidth_GB_per_second": speed / 1e9,
        "floor_ms_per_iteration": floors,
        "pieces_us": pieces,
        "rows": rows,
    }


def _runs(data, host, device: Device, n_iterations: int, torch: bool) -> Runs:
    """What is run, and for how many iterations (0: as many as it takes)."""
    few = min(SLOW_ITERATIONS, n_iterations)
    runs: Runs = {}
    for name, fit in LEVELS.items():
        iterations = few if name == BASELINE else n_iterations
        runs[name] = partial(fit, *data, iterations), iterations
    runs[SOLVER] = partial(solve, *data), 0
    if torch and importlib.util.find_spec("torch"):
        there = "cuda" if device.platform == "gpu" else "cpu"
        for name, compiled in TORCH.items():
            loop = partial(peers.torch_ladder, host, n_iterations, there, compiled)
            runs[name] = loop, n_iterations
    return runs


def _first(name: str, run: Callable[[], Any], iterations: int, host) -> Row:
    """The first run, with all that it compiles, and the ELBO it reached."""
    start = time.perf_counter()
    with compile_counts() as cold:
        result = jax.block_until_ready(run())
    row = {"first_call_seconds": time.perf_counter() - start, "iterations": iterations, **cold}
    if name == SOLVER:
        row["iterations"] = int(result.iterations)
        row["trace"] = _rounded(result.trace[: row["iterations"]])
        B, M, log_S, Omega = profile(result.latent, host[2])
        S = np.exp(log_S)
    elif name in TORCH:
        B, M, S, Omega = result
    else:
        (B, M, log_S, Omega), trace = result
        S = np.exp(log_S)
        row["trace"] = _rounded(trace)
    row["elbo"] = reference.elbo(B, M, S, Omega, *host)
    return row


def _rounded(trace: Any) -> list[float]:
    """The ELBO after each iteration, in nats, to float32's digits."""
    return [float(f"{value:.8g}") for value in np.asarray(trace)]


def _memory(name: str, data, n_iterations: int) -> int | None:
    """Bytes that the compiled program needs: arguments, results, and what lies between."""
    if name == SOLVER:
        whole = solve.lower(*data)
    elif name in LEVELS and name not in NOT_ONE_PROGRAM:
        whole = jax.jit(LEVELS[name], static_argnums=3).lower(*data, n_iterations)
    else:
        return None
    sizes = whole.compile().memory_analysis()
    if sizes is None:
        return None
    return sizes.argument_size_in_bytes + sizes.output_size_in_bytes + sizes.temp_size_in_bytes


def table(result: Row) -> list[tuple[str, ...]]:
    """The rows as text, header first."""
    lines: list[tuple[str, ...]] = [
        ("", "compile s", "programs (later)", "run s", "ms/iteration", "x no JIT", "MB", "ELBO")
    ]
    for name, row in result["rows"].items():
        size = row["bytes"]
        lines.append(
            (
                name,
                f"{row['compile_seconds']:.2f}",
                f"{row['compilations']} ({row['compilations_later']})" if name not in TORCH else "",
                f"{row['run_seconds']:.3f} ({row['iterations']} it)",
                f"{row['ms_per_iteration']:.3f}",
                f"{row['speedup']:.1f}",
                f"{size / 1e6:.0f}" if size else "",
                f"{row['elbo']:.1f}",
            )
        )
    return lines


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m plnkit.benchmark", description=__doc__)
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--replicas", type=int, default=1, help="oaks repeated this often")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    device = find_device(options.device)
    result = ladder(
        device,
        options.replicas,
        options.iterations,
        options.repeats,
        lambda what: print(what, file=sys.stderr, flush=True),
    )
    for line in table(result):
        print("".join(f"{cell:<18}" for cell in line))
    for name in ("bandwidth_GB_per_second", "floor_ms_per_iteration", "pieces_us", "environment"):
        print(name, result[name])
    if options.json:
        options.json.write_text(json.dumps(result, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
