"""How long one full check of a small exercise takes, warm.

`python -m autograder.tests.benchmarks.check`

Each turn runs a submission that was not seen before, as a student's next try is.
"""

from __future__ import annotations

import argparse
import json
import linecache
import statistics
import sys
import time
from pathlib import Path
from types import ModuleType

import plnkit
from autograder import check
from autograder.core.report import SCHEMA

EXERCISE = "static_branch"
SUBMISSION = """
import jax
import jax.numpy as jnp

@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power{more}
"""


def _module(turn: int) -> ModuleType:
    """The submission as a module; each turn's program is another one, with the same results."""
    module = ModuleType(f"submission_{turn}")
    sys.modules[module.__name__] = module
    source = SUBMISSION.format(more=f" + 0.0 * {turn}.0" if turn else "")
    name = f"<submission {turn}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec", dont_inherit=True), vars(module))
    return module


def measure(turns: int) -> list[float]:
    """Return the seconds of each check; the first, which starts things, is left out."""
    seconds = []
    for turn in range(turns + 1):
        module = _module(turn)
        vars(module)["check"] = check
        start = time.perf_counter()
        score = eval(f"check({EXERCISE!r})", vars(module))
        end = time.perf_counter()
        assert score.report.earned == score.report.possible, score.report
        if turn:
            seconds.append(end - start)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    plnkit.canary()
    seconds = measure(options.turns)
    median = round(statistics.median(seconds), 3)
    print(f"median {median:.2f} s  (from {min(seconds):.2f} to {max(seconds):.2f})")
    if options.json:
        import jax

        from plnkit.machine import environment

        command = f"python -m autograder.tests.benchmarks.check --turns {options.turns}"
        result = {
            "schema": SCHEMA,
            "environment": environment(jax.devices()[0], command),
            "median_seconds": median,
        }
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
