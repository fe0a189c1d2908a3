"""How often the rule of speed is wrong, on programs whose ratio is known."""

from __future__ import annotations

from typing import Any

from findings import Findings

from autograder.tests.benchmarks.speed_verdicts import benchmark

MOST_SECONDS_EACH = 3.0
LINE = "{}: {false} of {runs} false, {inconclusive} inconclusive, {mean_seconds} s each"


def run(findings: Findings, small: bool) -> None:
    def keep(results: dict[str, Any]) -> None:
        figures = [LINE.format(kind, **one) for kind, one in results.items()]
        findings.keep(results=results, figures=figures)

    runs = {"A/A": 4, "known ratio": 2} if small else {"A/A": 100}
    results = benchmark(runs, print, keep)
    false = sum(one["false"] for one in results.values())
    findings.require(f"no verdict is false: {false}", not false)
    if not small:
        each, most = results["A/A"]["mean_seconds"], MOST_SECONDS_EACH
        findings.require(f"{each} s each, at most {most:g} s", each <= most)
