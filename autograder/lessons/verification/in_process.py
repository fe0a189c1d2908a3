"""Grades a lesson's own submissions as `check` does; they are not confined.

Their cells run in this process, or in one of their own where they need several devices.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from autograder.errors.error_finding import error_finding
from autograder.errors.jax_errors import CELL_ERROR
from autograder.grading.pipeline import grade_runs
from autograder.grading.plan import Run
from autograder.judge.client import Judge, shared_judge
from autograder.lessons.lesson import Lesson
from autograder.lessons.solutions import lesson_cells, with_reference_solutions
from autograder.lessons.verification.requirements import full_marks, loses, unexplained
from autograder.lessons.verification.submissions import Submission
from autograder.model.observation import Observation
from autograder.model.report import Report
from autograder.model.rubric import Rubric
from autograder.model.student_code import quiet
from autograder.sandbox import (
    Calls,
    PlainWorkers,
    Zygotes,
    observe_cells,
    shared_workers,
    shared_zygotes,
)
from autograder.sandbox.cells import cell_file, run_cells
from autograder.sandbox.exercise_observation import observe

SECRET = 20250108
"""Not the public key: a right submission must also pass on draws that students have not seen."""


def grade_source(
    lesson: Lesson,
    exercise_name: str,
    source: str | None,
    folder: Path,
    judge: Judge,
    *,
    outputs_only: bool = False,
    key: int = SECRET,
    workers: Zygotes | PlainWorkers | None = None,
) -> Report:
    """Grade one solution cell.

    Args:
        lesson, exercise_name: what it is a solution of.
        source: of the cell; None for the starter.
        folder: where the cells' sources are written.
        judge: runs the programs.
        outputs_only: leave out the observation of purity and compilations.
        key: of the draws to judge with.
        workers: run the cells where they need several devices; by default a learner's.
    """
    rubric = lesson.rubric_of(exercise_name)
    if rubric is lesson.rubric:
        rubric = with_reference_solutions(lesson)
    only = replace(rubric, exercises=(rubric.exercise(exercise_name),))
    cells = lesson_cells(lesson, exercise_name, source)
    judge.launch()

    def own_process(planned: Run, rubric: Rubric, calls: Calls) -> Mapping[str, Observation]:
        proved = {e.name: planned.prove(e).criteria for e in rubric.exercises}
        own = workers or shared_workers()
        return observe_cells(planned.cells, rubric, calls, workers=own, echo=False, proved=proved)

    def this_process(planned: Run, rubric: Rubric, calls: Calls) -> Mapping[str, Observation]:
        (settled,) = rubric.exercises
        proof = planned.prove(settled)
        with as_notebook():
            module, errors = run_cells(planned.cells, folder)
            seen = observe(
                settled,
                module,
                calls[settled.name],
                programs_only=outputs_only and settled.kind == "program",
                proved=proof.criteria,
            )
            if seen.refused is not None and errors:
                file = str(cell_file(errors[-1].cell, folder))
                finding = error_finding(errors[-1].error, {file}, CELL_ERROR, module=module)
                seen = Observation(refused=("cell-failed", finding))
        return {settled.name: proof.complete(seen)}

    observe_in = own_process if only.devices > 1 else this_process
    return grade_runs(cells, only, observe_in, judge, key, timed=False).reports[0]


def check_submission(lesson: Lesson, wanted: Submission, folder: Path) -> list[str]:
    """Grade a submission of a lesson, and return what differs from what its header says."""
    exercise = wanted.exercise
    report = grade_source(
        lesson,
        exercise,
        wanted.source,
        folder,
        shared_judge(),
        # Purity and compilations have no points where the outputs are wrong.
        outputs_only=wanted.must_fail == ("outputs",),
        # A zygote has imported JAX already, and forks.
        workers=shared_zygotes() if sys.platform == "linux" else None,
    )
    if not wanted.must_fail:
        return full_marks(report)
    problems = loses(report, wanted.must_fail, wanted.says)
    if wanted.kind != "empty":  # which has no line to show
        kind = lesson.rubric_of(exercise).exercise(exercise).kind
        problems += unexplained(report, wanted.must_fail[0], kind)
    return problems


@contextlib.contextmanager
def as_notebook() -> Iterator[None]:
    """Print nothing, and restore the process's own `__main__` afterwards."""
    main = sys.modules["__main__"]
    with quiet():
        try:
            yield
        finally:
            sys.modules["__main__"] = main
