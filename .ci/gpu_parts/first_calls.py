"""The first `plnkit.fit` of a process, coefficients included: compiled, and from the cache.

The first process has an empty compilation cache, which the second one finds filled.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from findings import Findings

from autograder.core.child_process import caching_in

CALLS = """
import json, time
begin = time.perf_counter()
import plnkit, numpy as np
Y, O, X = (np.repeat(array, {times}, axis=0) for array in plnkit.load_oaks()[:3])
seconds = {{"import": time.perf_counter() - begin}}
for name in ("first", "second"):
    begin = time.perf_counter()
    plnkit.fit(Y, O=O, X=X).coefficients
    seconds[name] = time.perf_counter() - begin
print(json.dumps(seconds))
"""
MOST_SECONDS = {"cold": 3.0, "cached": 2.0}


def run(findings: Findings, small: bool) -> None:
    sizes, repeats = ((1,), 1) if small else ((1, 100), 2)
    for _, times in product(range(repeats), sizes):
        with tempfile.TemporaryDirectory() as cache:
            for kind in MOST_SECONDS:
                seconds = call_in_new_process(times, Path(cache))
                findings.add("rows", {"data": f"x{times}", "kind": kind, **seconds})
                findings.keep(figures=[line for line, _ in summarize(findings.data["rows"])])
    if not small:
        for line, holds in summarize(findings.data["rows"]):
            findings.require(line, holds)


def summarize(rows: list[dict[str, Any]]) -> list[tuple[str, bool]]:
    """Return a line on the median of each kind of first calls, and whether it is short enough."""
    found: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        found.setdefault((row["data"], row["kind"]), []).append(row["first"])
    lines = []
    for (data, kind), firsts in found.items():
        median, most = statistics.median(firsts), MOST_SECONDS[kind]
        lines.append((f"{data} {kind}: {median:.2f} s, at most {most:g} s", median <= most))
    return lines


def call_in_new_process(times: int, cache: Path) -> dict[str, float]:
    """Return the seconds of the imports and of two calls on so many copies of the oaks."""
    command = [sys.executable, "-c", CALLS.format(times=times)]
    environment = {**os.environ, **caching_in(cache)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)
