"""How often the speed rule is wrong: `python -m autograder.tests.benchmarks.speed_verdicts`.

Real programs are timed on this machine as it is, with whatever else runs on it. Programs do a
known multiple of each other's work, so the right verdict is known; half of the runs compare a
program with itself (A/A). As in a class, all are compared with one baseline, whose noise is
measured once a minute. ``--load N`` adds N busy processes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jax

from autograder.criteria.speed.pairs import (
    WINDOWS,
    SpeedComparison,
    Standard,
    TimedProgram,
    compare,
)
from autograder.tests.benchmarks.example_bundle import draws, steps, unjudged

# (steps of the program relative to the baseline's, threshold, right verdict)
CASES = {
    "A/A": [(1, 1.5, "failed"), (1, 0.67, "passed")],
    "known ratio": [(4, 3.0, "passed"), (4, 6.0, "failed"), (2, 3.0, "failed"), (6, 3.0, "passed")],
}
# Some milliseconds for the quickest, so that the work is what is timed; divisible by all ratios.
_STEPS = 1440
_FEWEST = 12
_OF_WINDOW = 0.35

Keep = Callable[[dict[str, Any]], None]


def _busy() -> None:
    while True:
        sum(range(10_000))


def _programs() -> dict[int, TimedProgram]:
    """Return a program for each ratio; a timing repeats even the slowest some times."""
    device = jax.devices()[0]
    inputs = draws()[0]

    def compiled(count: int) -> TimedProgram:
        return TimedProgram(jax.jit(steps(count)).lower(*inputs).compile(), device)

    longest = compiled(_STEPS)
    longest.results(inputs)
    begin = time.perf_counter()
    longest.results(inputs)
    seconds = (time.perf_counter() - begin) / (_STEPS / _FEWEST)
    most = _FEWEST * max(1, min(_STEPS // _FEWEST, int(_OF_WINDOW * WINDOWS[0] / seconds)))
    ratios = {ratio for cases in CASES.values() for ratio, _, _ in cases}
    return {ratio: compiled(most // ratio) for ratio in ratios}


def benchmark(
    runs: Mapping[str, int], say: Any = print, keep: Keep = lambda results: None
) -> dict[str, Any]:
    """Make comparisons, in random order.

    Args:
        runs: how many of each kind.
        say: called with lines on the progress, and on false verdicts.
        keep: called after each comparison, with what would be returned now.

    Returns:
        By kind: runs, false verdicts, inconclusive ones, seconds of one comparison (median and
        mean), and how far the pairs went.
    """
    programs = _programs()
    standard = Standard(programs[1], unjudged(draws()))
    jobs = [
        (kind, *CASES[kind][i % len(CASES[kind])])
        for kind, count in runs.items()
        for i in range(count)
    ]
    random.Random(0).shuffle(jobs)
    outcomes: dict[str, list[tuple[str, SpeedComparison, float]]] = {}
    for number, (kind, ratio, threshold, right) in enumerate(jobs, 1):
        begin = time.monotonic()
        comparison = compare(standard, programs[ratio], threshold, limit_seconds=120)
        outcomes.setdefault(kind, []).append((right, comparison, time.monotonic() - begin))
        if comparison.verdict not in (right, "inconclusive"):
            say(f"false: {kind} {ratio} against {threshold}: {comparison}")
        if number % 20 == 0:
            say(f"{number} of {len(jobs)}")
        keep({kind: _summary(done) for kind, done in outcomes.items()})
    return {kind: _summary(done) for kind, done in outcomes.items()}


def _summary(done: list[tuple[str, SpeedComparison, float]]) -> dict[str, Any]:
    verdicts = [(right, comparison.verdict) for right, comparison, _ in done]
    return {
        "runs": len(done),
        "false": sum(verdict not in (right, "inconclusive") for right, verdict in verdicts),
        "inconclusive": sum(verdict == "inconclusive" for _, verdict in verdicts),
        "median_seconds": round(statistics.median(seconds for _, _, seconds in done), 3),
        "mean_seconds": round(statistics.mean(seconds for _, _, seconds in done), 3),
        "mean_pairs": round(statistics.mean(c.pairs for _, c, _ in done), 1),
        "median_noise": round(statistics.median(c.noise for _, c, _ in done), 3),
        "largest_noise": round(max(c.noise for _, c, _ in done), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="of each kind")
    parser.add_argument("--load", type=int, default=0, help="busy processes beside")
    parser.add_argument("--out", type=Path, help="JSON file for the figures")
    options = parser.parse_args()
    begin = time.monotonic()
    load_before = os.getloadavg()[0]
    spawn = multiprocessing.get_context("spawn")
    burners = [spawn.Process(target=_busy, daemon=True) for _ in range(options.load)]
    for burner in burners:
        burner.start()
    try:
        kinds = benchmark({kind: options.runs for kind in CASES})
    finally:
        for burner in burners:
            burner.kill()
    report = {
        "schema": 1,
        "command": f"python -m autograder.tests.benchmarks.speed_verdicts --runs {options.runs} "
        f"--load {options.load}",
        "date": time.strftime("%Y-%m-%d"),
        "jax": jax.__version__,
        "python": platform.python_version(),
        "device": jax.devices()[0].device_kind,
        "cores": os.cpu_count(),
        "load": [round(load_before, 2), round(os.getloadavg()[0], 2)],
        "busy_processes": options.load,
        "seconds": round(time.monotonic() - begin),
        "results": kinds,
    }
    text = json.dumps(report, indent=1)
    print(text)
    if options.out:
        options.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
