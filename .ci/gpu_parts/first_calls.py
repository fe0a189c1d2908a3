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

from findings import Findings

from autograder.processes.child_process import caching_in

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
    found: dict[tuple[int, str], list[float]] = {}
    for _, times in product(range(repeats), sizes):
        with tempfile.TemporaryDirectory() as cache:
            for kind in MOST_SECONDS:
                seconds = call_in_new_process(times, Path(cache))
                findings.add("rows", {"kind": kind, "times": times, **seconds})
                found.setdefault((times, kind), []).append(seconds["first"])
                findings.keep(figures=[describe(one, found[one]) for one in found])
    if not small:
        for (times, kind), firsts in found.items():
            most = MOST_SECONDS[kind]
            what = f"{describe((times, kind), firsts)}, at most {most:g} s"
            findings.require(what, statistics.median(firsts) <= most)


def describe(what: tuple[int, str], firsts: list[float]) -> str:
    times, kind = what
    return f"x{times} {kind}: {statistics.median(firsts):.2f} s"


def call_in_new_process(times: int, cache: Path) -> dict[str, float]:
    """Return the seconds of the imports and of two calls on so many copies of the oaks."""
    command = [sys.executable, "-c", CALLS.format(times=times)]
    environment = {**os.environ, **caching_in(cache)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)
