"""How long one full check of a small exercise takes, warm.

`python -m autograder.tests.benchmarks.check`

Each turn runs a submission that was not seen before, as a student's next try is.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from types import ModuleType

import plnkit
from autograder.core.report import SCHEMA
from autograder.core.rubric import PUBLIC_KEY
from autograder.grading.pipeline import grade_observation
from autograder.grading.run import calls_to_export
from autograder.judge.client import Judge
from autograder.lessons.course import the_course
from autograder.sandbox.exercise_observation import observe

LESSON = "static_branch"
SUBMISSION = """
import jax
import jax.numpy as jnp

@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power * {one}
"""


def _module(turn: int) -> ModuleType:
    """The submission as a module; each turn's program is another one, with the same results."""
    module = ModuleType(f"submission_{turn}")
    sys.modules[module.__name__] = module
    source = SUBMISSION.format(one=f"({turn + 1}.0 / {turn + 1}.0)" if turn else "1.0")
    source = source.replace("* (", f"+ 0.0 * {turn}.0 * (")
    exec(compile(source, f"<submission {turn}>", "exec"), vars(module))
    return module


def measure(turns: int) -> dict[str, list[float]]:
    """Seconds of each part of a check, by turn; the first, which starts things, is left out."""
    rubric = the_course().rubric(LESSON)
    exercise = rubric.exercises[0]
    judge = Judge()
    seconds: dict[str, list[float]] = {"observe": [], "judge": [], "all": []}
    for turn in range(turns + 1):
        module = _module(turn)
        start = time.perf_counter()
        observation = observe(exercise, module, calls_to_export(exercise, PUBLIC_KEY))
        middle = time.perf_counter()
        report = grade_observation(rubric, exercise, observation, judge, PUBLIC_KEY)
        end = time.perf_counter()
        assert report.earned == report.possible, report
        if turn:
            seconds["observe"].append(middle - start)
            seconds["judge"].append(end - middle)
            seconds["all"].append(end - start)
    judge.close()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    plnkit.canary()
    seconds = measure(options.turns)
    medians = {part: round(statistics.median(some), 3) for part, some in seconds.items()}
    for part, median in medians.items():
        low, high = min(seconds[part]), max(seconds[part])
        print(f"{part:<8} median {median:.2f} s  (from {low:.2f} to {high:.2f})")
    if options.json:
        import jax

        from plnkit.machine import environment

        command = f"python -m autograder.tests.benchmarks.check --turns {options.turns}"
        result = {
            "schema": SCHEMA,
            "environment": environment(jax.devices()[0], command),
            "median_seconds": medians,
        }
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
