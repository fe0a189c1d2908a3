"""Attacks as small files: a header that says what they must not gain, then a solution cell.

    # attack: WHAT; exercise: NAME; must not gain: CRITERION; says: PHRASE; seconds: LIMIT

`says` is found in a finding of that criterion; `seconds` is the limit of the worker's process.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.grading.pipeline import grade_observation
from autograder.grading.run import calls_to_export
from autograder.grading.terms import Terms
from autograder.judge.client import Judge
from autograder.model.notebook import Cell
from autograder.model.report import Report
from autograder.model.rubric_files import load_rubric
from autograder.sandbox import Limits, observe_cells
from autograder.tests.drawn import whole_notebook

CORPUS = Path(__file__).parent / "corpus"
SECRET = 20250108


@dataclass(frozen=True)
class Submission:
    """One file of the corpus."""

    path: Path
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
    return Submission(
        path=path,
        what=fields["attack"],
        exercise=fields["exercise"],
        criterion=fields["must not gain"],
        says=fields.get("says", ""),
        seconds=float(fields.get("seconds", 60)),
    )


def submissions(folder: str = "submissions") -> list[Submission]:
    return [read_submission(path) for path in sorted((CORPUS / folder).glob("*.py"))]


def grade_in_worker(submission: Submission, judge: Judge) -> Report:
    """Grade as an instructor does; probes run only where the header speaks of what they observe."""
    fast = submission.criterion == "outputs"
    rubric = load_rubric(str(CORPUS / "outputs_only.py") if fast else submission.exercise)
    drawn = rubric.draw(submission.exercise, SECRET)
    attempt = whole_notebook(submission.cells, drawn.name)
    judge.launch()
    limits = Limits(seconds=submission.seconds)
    seen = observe_cells(attempt, {drawn: calls_to_export(drawn)}, limits)
    terms = Terms(rubric, judge, SECRET, timed=False)
    return grade_observation(drawn, seen[drawn.name], terms)
