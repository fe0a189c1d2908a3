"""One submission that cannot be shown keeps no other from being shown."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.classroom import messages
from autograder.classroom.outcome import Outcome
from autograder.render import criterion_text, remark


def showable(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes, those that cannot be shown as ones without a result that say so."""
    return [_showable(outcome) for outcome in outcomes]


def _showable(outcome: Outcome) -> Outcome:
    try:
        for report in outcome.reports:
            report.mark()
            for criterion in report.criteria:
                remark(criterion)
                criterion_text(criterion)
        outcome.mark()
    except Exception as error:  # whatever its report holds
        return unshown(outcome.student, error)
    return outcome


def unshown(student: str, error: Exception) -> Outcome:
    """What is shown in place of a result."""
    text = messages.NOT_SHOWN.format(error=type(error).__name__)
    return Outcome(student, None, (text,), fresh=False, why=text)
