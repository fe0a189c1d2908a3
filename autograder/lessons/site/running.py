"""What running an example shows: the error that it raises, or what a check says of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.grading.pipeline import grade_attempts
from autograder.grading.plan import plan_attempts
from autograder.judge.client import Judge
from autograder.lessons.examples import whole_code
from autograder.lessons.lesson import LessonError
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Report
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox import PlainWorkers, Processes, Zygotes

CPU = {"JAX_PLATFORMS": "cpu", "PYTHONHASHSEED": "0"}
"""Whatever the machine has, pages show what a CPU says."""


class Printed(NamedTuple):
    """What running code showed: what it raised, or the value of its last expression."""

    raised: str
    value: str


def run_codes(codes: Sequence[str]) -> list[Printed]:
    """Run codes one after the other, in a process of their own.

    Raises:
        LessonError: the process ended.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        done = subprocess.run(
            [sys.executable, "-m", "autograder.lessons.site.example_process"],
            input=json.dumps(list(codes)),
            env={**os.environ, **CPU},
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
        )
    if done.returncode:
        raise LessonError(f"the examples could not be run:\n{done.stderr[-2000:]}")
    return [Printed(**shown) for shown in json.loads(done.stdout)]


def check_code(code: str, rubric: str, judge: Judge, workers: Zygotes | PlainWorkers) -> Report:
    """Check the example of a rule as a learner's notebook is checked.

    Args:
        code: of its one cell.
        rubric: the source of a rubric with one exercise.
        judge: runs its programs.
        workers: run the cell.
    """
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        file = Path(folder) / "example.py"
        file.write_text(rubric, encoding="utf-8")
        loaded = load_rubric(file)
        notebook = Notebook("example", (Cell("f-solution", whole_code(code), "solution"),))
        attempts = plan_attempts(notebook, loaded)
        terms = Terms(loaded, judge, timed=False)
        return grade_attempts(attempts, terms, Processes(workers=workers)).reports[0]


def names_rule(report: Report, rule: str) -> bool:
    """Return whether a report says a rule: in a finding, or as the reason why there is no mark."""
    return any(
        rule == criterion.reason or rule in [finding.rule for finding in criterion.findings]
        for criterion in report.criteria
    )
