"""Trust: how far what was seen of a submission can be believed, before anything is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from autograder.core.notebook import Cell
from autograder.core.report import EVIDENCE, Evidence, NotAdmitted, Report
from autograder.core.rubric import Exercise, Rubric
from autograder.grading.allow_list import find_not_admitted
from autograder.grading.steady import is_steady
from autograder.grading.written_answers import read_answers


def evidence_of(exercise: Exercise, criterion: str) -> Evidence:
    """Return the grade of evidence for a criterion, as long as nobody has read the source.

    What trusted code decides on the exported program is proved. What was seen beside the student's
    code is observed, and so is everything about an exercise that has no program.
    """
    return EVIDENCE[criterion] if exercise.kind == "program" else "observed"


@dataclass(frozen=True)
class Trust:
    """What reading a submission's source has shown.

    Attributes:
        not_admitted: the first thing that the allow-list does not admit, if any.
        answers: for each exercise whose answers are written down, the answer to each question.
        steady: whether the source is admitted and does the same in every process, so that a
            second process need not show it.
    """

    not_admitted: NotAdmitted | None
    answers: Mapping[str, Mapping[str, Any]]
    steady: bool = False

    def apply(self, report: Report) -> Report:
        """Return the report with the evidence that the source allows for.

        What was read is proved. Where the allow-list admitted all of the source, what was observed
        is witnessed.
        """
        if report.exercise in self.answers:
            criteria = tuple(replace(c, evidence="proved") for c in report.criteria)
            return replace(report, criteria=criteria)
        if self.not_admitted is not None:
            return replace(report, not_admitted=self.not_admitted)
        return replace(
            report,
            criteria=tuple(
                replace(c, evidence="witnessed") if c.evidence == "observed" else c
                for c in report.criteria
            ),
        )


def read_source(cells: Sequence[Cell], rubric: Rubric) -> Trust:
    """Read the cells that are going to run."""
    answers = {
        exercise.name: read_answers(cells, exercise.entry_points[0], exercise.questions)
        for exercise in rubric.exercises
        if exercise.kind == "answers"
    }
    written = {name: given for name, given in answers.items() if given is not None}
    not_admitted = find_not_admitted(cells)
    return Trust(not_admitted, written, not_admitted is None and is_steady(cells))
