"""How long one full check of a small exercise takes, warm, and how much CPU time.

`python -m autograder.tests.benchmarks.check [--busy 3]`

Each turn runs a submission that was not seen before, as a student's next try is. CPU time is that
of the process and of all that it started, but for the processes that keep the machine busy.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType

import psutil

import plnkit
from autograder.model.report import SCHEMA
from autograder.processes.usage import descendants

EXERCISE = "static_branch"
SUBMISSION = f"""
import jax
import jax.numpy as jnp
from autograder import check

@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power{{more}}

score = check("{EXERCISE}")
"""


def _module(turn: int, folder: Path) -> ModuleType:
    """The submission as a script; each turn's program is another one, with the same results."""
    file = folder / f"submission_{turn}.py"
    file.write_text(SUBMISSION.format(more=f" + 0.0 * {turn}.0" if turn else ""))
    module = ModuleType(file.stem)
    module.__file__ = str(file)
    sys.modules[module.__name__] = module
    return module


def _cpu(busy: Collection[int]) -> float:
    total = 0.0
    for process in {os.getpid(), *descendants(os.getpid())} - {*busy}:
        with contextlib.suppress(psutil.Error):  # it has ended
            times = psutil.Process(process).cpu_times()
            total += times.user + times.system
    return total


def measure(turns: int, busy: Collection[int] = ()) -> tuple[list[float], list[float]]:
    """Return the seconds and CPU seconds of each check, without the first, which starts things.

    `busy` are processes whose CPU time does not count.
    """
    seconds, cpu = [], []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(turns + 1):
            module = _module(turn, Path(folder))
            file = Path(str(module.__file__))
            code = compile(file.read_text(), file, "exec", dont_inherit=True)
            start, before = time.perf_counter(), _cpu(busy)
            exec(code, vars(module))
            end, after = time.perf_counter(), _cpu(busy)
            score = module.score
            assert score.report.earned == score.report.possible, score.report
            if turn:
                seconds.append(end - start)
                cpu.append(after - before)
    return seconds, cpu


@contextlib.contextmanager
def busy_neighbours(count: int) -> Iterator[list[int]]:
    """Keep the machine busy with other processes."""
    endless = [sys.executable, "-c", "while True: pass"]
    started = [subprocess.Popen(endless) for _ in range(count)]
    try:
        yield [process.pid for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--busy", type=int, default=0, help="processes that compute beside it")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    plnkit.canary()
    with busy_neighbours(options.busy) as busy:
        seconds, cpu = measure(options.turns, busy)
    median = round(statistics.median(seconds), 3)
    print(f"median {median:.2f} s  (from {min(seconds):.2f} to {max(seconds):.2f})")
    print(f"CPU time {statistics.median(cpu):.2f} s  (from {min(cpu):.2f} to {max(cpu):.2f})")
    if options.json:
        import jax

        from plnkit.machine import environment

        command = f"python -m autograder.tests.benchmarks.check --turns {options.turns}"
        result = {
            "schema": SCHEMA,
            "environment": environment(jax.devices()[0], command),
            "busy_processes": options.busy,
            "median_seconds": median,
            "median_cpu_seconds": round(statistics.median(cpu), 3),
        }
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
