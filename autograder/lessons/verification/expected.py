"""Whether a report is the one that a submission must get."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core.report import CriterionResult, Report, Status

LOST = {Status.FAILED, Status.PARTIAL, Status.NOT_GRADED}


def _messages(criterion: CriterionResult) -> str:
    return " / ".join(f.message for f in criterion.findings) or criterion.reason or "nothing"


def full_marks(report: Report) -> list[str]:
    """Return what is wrong with the report on a right submission; empty if it has all points."""
    return [
        f"{c.name} should pass, but is {c.status}: {_messages(c)}"
        for c in report.criteria
        if c.status in LOST
    ]


def loses(report: Report, must_fail: Sequence[str], says: str) -> list[str]:
    """Return what is wrong with the report on a wrong submission; empty if it is as expected.

    The criteria named must be lost, and no others. Where the outputs are wrong, the others are not
    graded.
    """
    problems = []
    for c in report.criteria:
        if c.name in must_fail:
            if c.status not in LOST:
                problems.append(f"{c.name} should fail, but is {c.status}")
        elif c.status in LOST and not ("outputs" in must_fail and c.reason):
            problems.append(
                f"only {', '.join(must_fail)} should fail, but also {c.name}: {_messages(c)}"
            )
    shown = _messages(report.criterion(must_fail[0]))
    if says not in shown:
        problems.append(f"{must_fail[0]} should say {says!r}, but says: {shown}")
    return problems


def unexplained(report: Report, criterion: str, kind: str) -> list[str]:
    """Return what the report on a wrong submission lacks: the student's line, or a hint.

    A submission that could not be run gets no hints: its message explains the error.

    Args:
        report: on the submission.
        criterion: that fails.
        kind: of the exercise; where answers are judged, the message names the question instead.
    """
    found = report.criterion(criterion)
    errors = [f for f in found.findings if f.severity == "error"]
    problems = []
    if kind != "answers" and not any(f.line and f.code for f in errors):
        problems.append(f"{criterion}: no finding names a line of the student: {_messages(found)}")
    if found.status is not Status.NOT_GRADED and not found.hints:
        problems.append(f"{criterion}: no hint says how to fix it")
    return problems
