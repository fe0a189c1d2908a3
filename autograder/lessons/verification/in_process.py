"""Grades a lesson's own submissions as `check` does; they are not confined.

Their cells run in this process, or in one of their own where they need several devices.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.errors.error_finding import error_finding
from autograder.errors.jax_errors import CELL_ERROR
from autograder.grading.pipeline import grade_attempts
from autograder.grading.plan import plan_attempts
from autograder.judge.client import Judge, shared_judge
from autograder.lessons.lesson import Lesson
from autograder.lessons.solutions import (
    built_on,
    lesson_cells,
    own_solution,
    with_reference_solutions,
)
from autograder.lessons.verification.requirements import full_marks, loses, unexplained
from autograder.lessons.verification.submissions import Submission
from autograder.model.exercise import ProgramExercise
from autograder.model.notebook import Notebook
from autograder.model.observation import Observation
from autograder.model.report import Report
from autograder.model.student_code import quiet
from autograder.model.terms import Terms
from autograder.sandbox import (
    Attempt,
    Calls,
    Processes,
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
    judge: Judge,
    *,
    outputs_only: bool = False,
    key: int = SECRET,
    above: Mapping[str, str] | None = None,
) -> Report:
    """Grade one solution cell.

    Args:
        lesson, exercise_name: what it is a solution of.
        source: of the cell; None for the starter.
        judge: runs the programs.
        outputs_only: leave out the observation of purity and compilations.
        key: of the draws to judge with.
        above: other solutions than the lesson's own, by exercise, for the cells before.
    """
    rubric = lesson.rubric_of(exercise_name)
    if rubric is lesson.rubric:
        rubric = with_reference_solutions(lesson)
    terms = Terms(rubric.only([exercise_name]), judge, key, timed=False)
    notebook = Notebook(lesson.name, tuple(lesson_cells(lesson, exercise_name, source, above)))
    attempts = plan_attempts(notebook, terms.rubric)
    if terms.rubric.devices > 1:
        # A zygote has imported JAX already, and forks.
        workers = shared_zygotes() if sys.platform == "linux" else shared_workers()
        worker = Processes(workers=workers, second=False)
        return grade_attempts(attempts, terms, worker).reports[0]
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        worker = ThisProcess(Path(folder), outputs_only)
        return grade_attempts(attempts, terms, worker).reports[0]


@dataclass(frozen=True)
class ThisProcess:
    """A worker that runs the cells in this process.

    Attributes:
        folder: where the cells' sources are written.
        outputs_only: leave out the observation of purity and compilations.
    """

    folder: Path
    outputs_only: bool

    def observe(self, attempt: Attempt, calls: Calls) -> Mapping[str, Observation]:
        """Run the cells, and return what was observed, by exercise."""
        found = {}
        with as_notebook():
            module, errors = run_cells(attempt.cells, self.folder)
            for drawn, some in calls.items():
                proved = attempt.proved(drawn)
                only = self.outputs_only and isinstance(drawn.exercise, ProgramExercise)
                seen = observe(drawn, module, some, programs_only=only, proved=proved)
                if seen.refused is not None and errors:
                    file = str(cell_file(errors[-1].cell, self.folder))
                    finding = error_finding(errors[-1].error, {file}, CELL_ERROR, module=module)
                    seen = Observation(refused=("cell-failed", finding))
                found[drawn.name] = seen
        return found


def check_submission(lesson: Lesson, wanted: Submission) -> list[str]:
    """Grade a submission of a lesson, and return what differs from what its header says."""
    exercise = wanted.exercise
    report = grade_source(
        lesson,
        exercise,
        wanted.source,
        shared_judge(),
        # Purity and compilations have no points where the outputs are wrong.
        outputs_only=wanted.must_fail == ("outputs",),
    )
    if not wanted.must_fail:
        problems = full_marks(report)
        for other in built_on(lesson, exercise):
            own, above = own_solution(lesson, other), {exercise: wanted.source or ""}
            later = grade_source(lesson, other, own, shared_judge(), above=above)
            problems += [f"{other}, which builds on it: {one}" for one in full_marks(later)]
        return problems
    problems = loses(report, wanted.must_fail, wanted.says)
    if wanted.kind != "empty":  # which has no line to show
        judged = lesson.rubric_of(exercise).exercise(exercise)
        problems += unexplained(report, wanted.must_fail[0], judged)
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
