"""The first `plnkit.fit` of a process, coefficients included, without and with a cache."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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
    found: dict[str, list[float]] = {}

    def call(kind: str, times: int, settings: dict[str, str]) -> None:
        done = subprocess.run(
            [sys.executable, "-c", CALLS.format(times=times)],
            env={**os.environ, **settings},
            stdout=subprocess.PIPE,
            check=True,
        )
        seconds = json.loads(done.stdout)
        findings.add("rows", {"kind": kind, "times": times, **seconds})
        if kind in MOST_SECONDS:
            found.setdefault(f"x{times} {kind}", []).append(seconds["first"])
            medians = {name: statistics.median(firsts) for name, firsts in found.items()}
            findings.keep(figures=[f"{name}: {median:.2f} s" for name, median in medians.items()])

    with tempfile.TemporaryDirectory() as folder:
        cold, cached = {"JAX_ENABLE_COMPILATION_CACHE": "0"}, caching_in(Path(folder))
        for _ in range(repeats):
            for times in sizes:
                call("cold", times, cold)
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda times: call("filling the cache", times, cached), sizes))
        for _ in range(repeats):
            for times in sizes:
                call("cached", times, cached)
    if not small:
        for name, seconds in found.items():
            median, most = statistics.median(seconds), MOST_SECONDS[name.split()[1]]
            findings.require(f"{name}: {median:.2f} s, at most {most:g} s", median <= most)
