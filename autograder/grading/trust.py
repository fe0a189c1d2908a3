"""Trust: how far what was seen of a submission can be believed, before anything is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.core.notebook import Cell
from autograder.core.report import EVIDENCE, Evidence, NotAdmitted, Report
from autograder.core.rubric import Exercise
from autograder.grading.allow_list import find_not_admitted
from autograder.grading.steady import is_steady


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
        steady: whether the source is admitted and does the same in every process, so that a
            second process need not show it.
    """

    not_admitted: NotAdmitted | None
    steady: bool = False

    def apply(self, report: Report) -> Report:
        """Return the report with the evidence that the source allows for.

        Where the allow-list admitted all of it, what was observed is witnessed.
        """
        if self.not_admitted is not None:
            return replace(report, not_admitted=self.not_admitted)
        return replace(
            report,
            criteria=tuple(
                replace(c, evidence="witnessed") if c.evidence == "observed" else c
                for c in report.criteria
            ),
        )


def read_source(cells: Sequence[Cell]) -> Trust:
    """Read the cells that are going to run."""
    not_admitted = find_not_admitted(cells)
    return Trust(not_admitted, not_admitted is None and is_steady(cells))
