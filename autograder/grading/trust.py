"""Trust: how far what was seen of a submission can be believed, before anything is run."""

from __future__ import annotations

from autograder.core.report import EVIDENCE, Evidence
from autograder.core.rubric import Exercise


def evidence_of(exercise: Exercise, criterion: str) -> Evidence:
    """Return the grade of evidence for a criterion.

    What trusted code decides on the exported program is proved. What was seen beside the student's
    code is observed, and so is everything about an exercise that has no program.
    """
    return "observed" if exercise.kind == "behaviour" else EVIDENCE[criterion]
