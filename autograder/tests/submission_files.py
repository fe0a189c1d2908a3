"""Submissions as small files: a header that says what must come of them, then a solution cell.

    # right: WHAT; exercise: NAME
    # wrong: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE
    # attack: WHAT; exercise: NAME; must not gain: CRITERION; says: PHRASE; seconds: LIMIT

`says` is found in a finding of that criterion; `seconds` is the limit of the worker's process.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.cells import run_cells
from autograder.grading import calls_to_export, grade
from autograder.intake import Cell
from autograder.judge import Judge
from autograder.observe import observe
from autograder.report import Report
from autograder.rubric import Rubric, load_rubric
from autograder.worker import observe_cells

CORPUS = Path(__file__).parent / "corpus"
SECRET = 20250108
_KINDS = {"right": "", "wrong": "must fail", "attack": "must not gain"}


@dataclass(frozen=True)
class Submission:
    """One file of the corpus; `criterion` is empty for what is right."""

    path: Path
    kind: str
    what: str
    exercise: str
    criterion: str
    says: str
    seconds: float

    @property
    def cells(self) -> tuple[Cell, ...]:
        source = self.path.read_text(encoding="utf-8")
        setup = Cell("setup", "import jax\nimport jax.numpy as jnp\n", "")
        return setup, Cell("solution", source, "solution")


def read_submission(path: Path) -> Submission:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    parts = (part.partition(":") for part in first.removeprefix("# ").split("; "))
    fields = {name.strip(): value.strip() for name, _, value in parts}
    kind = next(iter(fields))
    return Submission(
        path=path,
        kind=kind,
        what=fields[kind],
        exercise=fields["exercise"],
        criterion=fields[_KINDS[kind]] if _KINDS[kind] else "",
        says=fields.get("says", ""),
        seconds=float(fields.get("seconds", 60)),
    )


def submissions(folder: str = "submissions") -> list[Submission]:
    return [read_submission(path) for path in sorted((CORPUS / folder).glob("*.py"))]


def grade_in_worker(submission: Submission, judge: Judge) -> Report:
    """Grade as an instructor does; probes run only where the header speaks of what they observe."""
    fast = submission.criterion == "outputs"
    rubric = load_rubric(str(CORPUS / "outputs_only.py") if fast else submission.exercise)
    exercise = rubric.exercise(submission.exercise)
    calls = {exercise.name: calls_to_export(exercise, SECRET)}
    judge.launch()
    seen = observe_cells(submission.cells, rubric, calls, submission.seconds)
    return grade(rubric, exercise, seen[exercise.name], judge, SECRET)


def grade_here(submission: Submission, folder: Path, judge: Judge) -> Report:
    """Grade as `check` does, in this process; for code that means no harm."""
    rubric: Rubric = load_rubric(submission.exercise)
    exercise = rubric.exercise(submission.exercise)
    judge.launch()
    with _main_put_back(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            module, errors = run_cells(submission.cells, folder)
            if errors:
                raise errors[0].error
            seen = observe(exercise, module, calls_to_export(exercise, SECRET))
    return grade(rubric, exercise, seen, judge, SECRET)


@contextlib.contextmanager
def _main_put_back() -> Iterator[None]:
    main = sys.modules["__main__"]
    try:
        yield
    finally:
        sys.modules["__main__"] = main
