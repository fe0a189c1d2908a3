"""Attacks on the grader: a header that says what they must not gain, then a solution cell.

    # attack: WHAT; exercise: NAME; must not gain: CRITERION; seconds: LIMIT; says: PHRASE

`says` is found in a finding of that criterion; `seconds` is the limit of the worker's process.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.grading.pipeline import grade_observation
from autograder.grading.run import calls_to_export
from autograder.judge.client import Judge
from autograder.lessons.verification.cases import CaseText, read_fields
from autograder.model.notebook import Cell
from autograder.model.report import Report
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox import Limits, Processes
from autograder.tests.helpers.drawn import whole_notebook

OUTPUTS_ONLY = Path(__file__).with_name("outputs_only.py")
SECRET = 20250108
FIELDS = ("attack", "exercise", "must not gain", "seconds", "says")


@dataclass(frozen=True)
class Attack:
    """One case of the corpus."""

    case: CaseText
    exercise: str
    criterion: str
    says: str
    seconds: float

    @property
    def cells(self) -> tuple[Cell, ...]:
        setup = Cell("setup", "import jax\nimport jax.numpy as jnp\n", "")
        return setup, Cell("solution", self.case.text, "solution")


def read_attack(case: CaseText) -> Attack:
    fields = read_fields(case, case.header, FIELDS)
    return Attack(
        case=case,
        exercise=fields["exercise"],
        criterion=fields["must not gain"],
        says=fields.get("says", ""),
        seconds=float(fields.get("seconds", 60)),
    )


def grade_in_worker(attack: Attack, judge: Judge) -> Report:
    """Grade as an instructor does; probes run only where the header speaks of what they observe."""
    fast = attack.criterion == "outputs"
    rubric = load_rubric(str(OUTPUTS_ONLY) if fast else attack.exercise)
    drawn = rubric.draw(attack.exercise, SECRET)
    attempt = whole_notebook(attack.cells, attack.exercise)
    judge.launch()
    calls = {drawn: calls_to_export(drawn)}
    seen = Processes(Limits(seconds=attack.seconds)).observe(attempt, calls)
    return grade_observation(drawn, seen[drawn.name], Terms(rubric, judge, SECRET, timed=False))
