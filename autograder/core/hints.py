"""Which of a rubric's hints fit what went wrong."""

from __future__ import annotations

from autograder.core.report import CriterionResult
from autograder.core.rubric import Exercise


def about(exercise: Exercise, criterion: CriterionResult) -> str:
    """The key of the hints that fit: a finding's own rule before the criterion."""
    for finding in criterion.findings:
        if finding.severity == "error" and finding.rule in exercise.hints:
            return finding.rule
    return criterion.name
