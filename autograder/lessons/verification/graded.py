"""Grading a lesson's submissions as `check` does, in one process: for code that means no harm."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from autograder.core.blame import error_finding
from autograder.core.jax_errors import CELL_ERROR
from autograder.core.observation import Observation
from autograder.core.quiet import quiet
from autograder.core.report import Report
from autograder.core.rubric import Rubric
from autograder.grading.mark import calls_to_export, grade, not_graded
from autograder.grading.settle import observe_settled
from autograder.judge.client import Judge
from autograder.lessons.course import Lesson
from autograder.lessons.solutions import lesson_cells
from autograder.sandbox.cells import cell_file, run_cells
from autograder.sandbox.exercise_observation import observe

SECRET = 20250108
"""Not the public key: what passes must pass on draws that students have not seen."""


def grade_source(
    lesson: Lesson,
    exercise_name: str,
    source: str | None,
    folder: Path,
    judge: Judge,
    *,
    outputs_only: bool = False,
    key: int = SECRET,
) -> Report:
    """The report on one solution cell, judged with a secret key.

    Args:
        lesson, exercise_name: what it is a solution of.
        source: of the cell; None for the starter.
        folder: where the cells' sources are written.
        judge: runs the programs.
        outputs_only: leave out the observation of purity and compilations.
        key: of the draws to judge with.
    """
    exercise = lesson.rubric.exercise(exercise_name)
    cells = lesson_cells(lesson, exercise_name, source)
    judge.launch()
    with as_notebook():
        module, errors = run_cells(cells, folder)

        def observed(rubric: Rubric) -> Observation:
            settled = rubric.exercises[0]
            calls = calls_to_export(settled, key, timed=False)
            alone = outputs_only and settled.kind == "program"
            return observe(settled, module, calls, programs_only=alone)

        only = replace(lesson.rubric, exercises=(exercise,))
        settled, seen = observe_settled(only, key, judge, observed)
    if seen.refused is not None and errors:
        file = str(cell_file(errors[-1].cell, folder))
        finding = error_finding(errors[-1].error, {file}, CELL_ERROR, module=module)
        return not_graded(lesson.rubric, exercise, "cell-failed", finding, key)
    return grade(lesson.rubric, settled.exercises[0], seen, judge, key)


@contextlib.contextmanager
def as_notebook() -> Iterator[None]:
    """Quiet, and with the process's own `__main__` back afterwards."""
    main = sys.modules["__main__"]
    with quiet():
        try:
            yield
        finally:
            sys.modules["__main__"] = main
