"""Whether a report is the one that a submission must get."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core.report import CriterionResult, Report, Status

OPEN = {Status.PENDING, Status.INCONCLUSIVE}
LOST = {Status.FAILED, Status.PARTIAL, Status.NOT_GRADED}


def _said(criterion: CriterionResult) -> str:
    return " / ".join(f.message for f in criterion.findings) or criterion.reason or "nothing"


def full_marks(report: Report) -> list[str]:
    """What is wrong with the report on something right; empty when all points are there."""
    return [
        f"{c.name} should pass, but is {c.status}: {_said(c)}"
        for c in report.criteria
        if c.status is not Status.PASSED and c.status not in OPEN
    ]


def loses(report: Report, must_fail: Sequence[str], says: str) -> list[str]:
    """What is wrong with the report on something wrong; empty when it is as the header says.

    The criteria named must be lost, and nothing else: where the outputs are wrong, the rest is
    not graded.
    """
    problems = []
    outputs = "outputs" in must_fail
    for c in report.criteria:
        if c.name in must_fail:
            if c.status not in LOST:
                problems.append(f"{c.name} should fail, but is {c.status}")
        elif outputs and c.reason:
            continue
        elif c.status is not Status.PASSED and c.status not in OPEN:
            problems.append(
                f"only {', '.join(must_fail)} should fail, but also {c.name}: {_said(c)}"
            )
    shown = _said(report.criterion(must_fail[0]))
    if says not in shown:
        problems.append(f"{must_fail[0]} should say {says!r}, but says: {shown}")
    return problems


def unexplained(report: Report, criterion: str, kind: str) -> list[str]:
    """What a student would miss in the report on something wrong: their own line, or a repair.

    What could not be run at all has no hints: its message explains the error.

    Args:
        report: on the submission.
        criterion: that fails.
        kind: of the exercise; where answers are judged, the message names the question instead.
    """
    found = report.criterion(criterion)
    errors = [f for f in found.findings if f.severity == "error"]
    problems = []
    if kind != "answers" and not any(f.line and f.code for f in errors):
        problems.append(f"{criterion}: no finding names a line of the student's: {_said(found)}")
    if found.status is not Status.NOT_GRADED and not found.hints:
        problems.append(f"{criterion}: no hint says how to mend it")
    return problems
