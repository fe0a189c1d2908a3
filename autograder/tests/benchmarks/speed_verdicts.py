"""How often the speed rule is wrong: `python -m autograder.tests.benchmarks.speed_verdicts`.

Real programs are timed on this machine as it is, with whatever else runs on it. Programs do a
known multiple of each other's work, so the right verdict is known; half of the runs compare a
program with itself (A/A). ``--load N`` adds N busy processes.
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
from pathlib import Path
from typing import Any

import jax

from autograder.criteria.speed.pairs import Comparison, Standard, TimedProgram, compare
from autograder.tests.benchmarks.example_bundle import draws, steps, unjudged

# (steps of the program relative to the baseline's, threshold, right verdict)
CASES = {
    "A/A": [(1, 1.5, "failed"), (1, 0.67, "passed")],
    "known ratio": [(4, 3.0, "passed"), (4, 6.0, "failed"), (2, 3.0, "failed"), (6, 3.0, "passed")],
}
# Some milliseconds for the quickest, so that the work is what is timed; divisible by all ratios.
_STEPS = 1440


def _busy() -> None:
    while True:
        sum(range(10_000))


def run_case(
    programs: dict[int, TimedProgram], ratio: int, threshold: float, seed: int
) -> Comparison:
    """One comparison of the quick program (`ratio`) with the baseline."""
    standard = Standard(programs[1], unjudged(draws(seed=seed)))
    return compare(standard, programs[ratio], threshold, limit_seconds=120)


def _programs() -> dict[int, TimedProgram]:
    device = jax.devices()[0]
    inputs = draws()[0]
    ratios = {ratio for cases in CASES.values() for ratio, _, _ in cases}
    return {
        ratio: TimedProgram(jax.jit(steps(_STEPS // ratio)).lower(*inputs).compile(), device)
        for ratio in ratios
    }


def benchmark(runs: int, say: Any = print) -> dict[str, Any]:
    """`runs` comparisons of each kind, in random order.

    Returns:
        By kind: runs, false verdicts, inconclusive ones, seconds of one comparison (median), and
        how far the pairs went.
    """
    programs = _programs()
    jobs = [(kind, *cases[i % len(cases)]) for kind, cases in CASES.items() for i in range(runs)]
    random.Random(0).shuffle(jobs)
    outcomes: dict[str, list[tuple[str, Comparison, float]]] = {kind: [] for kind in CASES}
    for seed, (kind, ratio, threshold, right) in enumerate(jobs):
        begin = time.monotonic()
        comparison = run_case(programs, ratio, threshold, seed)
        outcomes[kind].append((right, comparison, time.monotonic() - begin))
        if seed % 20 == 19:
            say(f"{seed + 1} of {len(jobs)}")
        if comparison.verdict not in (right, "inconclusive"):
            say(f"false: {kind} {ratio} against {threshold}: {comparison}")
    return {kind: _summary(done) for kind, done in outcomes.items()}


def _summary(done: list[tuple[str, Comparison, float]]) -> dict[str, Any]:
    verdicts = [(right, comparison.verdict) for right, comparison, _ in done]
    return {
        "runs": len(done),
        "false": sum(verdict not in (right, "inconclusive") for right, verdict in verdicts),
        "inconclusive": sum(verdict == "inconclusive" for _, verdict in verdicts),
        "median_seconds": round(statistics.median(seconds for _, _, seconds in done), 3),
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
        kinds = benchmark(options.runs)
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
