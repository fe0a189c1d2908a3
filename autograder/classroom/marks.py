"""What of a report goes into which of nbgrader's grade cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from autograder.authoring import gradable_points
from autograder.finding import Finding
from autograder.messages import speed as messages
from autograder.notebook_format import NotebookNode
from autograder.pictures import read_picture
from autograder.report import KIT_ERROR, CriterionResult, Report, Status
from autograder.rubric import Rubric, speed_name

SPEED = "speed"

NEEDS_A_LOOK = {
    KIT_ERROR,
    "unreadable-notebook",
    "worker-died",
    "timeout",
    "too-much-memory",
    "too-many-processes",
}
"""Reasons for which a person should look at the submission: its cell gets no automatic mark."""


@dataclass(frozen=True)
class Mark:
    """Points of one grade cell; None when there are none yet."""

    points: float | None
    possible: float


def points_of_cells(rubric: Rubric) -> dict[str, float]:
    """Points of each grade cell that a rubric fills in, by grade id."""
    points: dict[str, float] = {}
    for exercise in rubric.exercises:
        points[exercise.name] = gradable_points(rubric, exercise.name)
        if exercise.speed is not None:
            points[speed_name(exercise.name)] = float(exercise.points[SPEED])
    return points


def points_in(notebook: NotebookNode) -> dict[str, float]:
    """Points of a notebook's grade cells, by grade id."""
    cells = [cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]]
    return {c["grade_id"]: float(c.get("points") or 0) for c in cells if c.get("grade")}


def changed_points(old: Mapping[str, float], new: Mapping[str, float]) -> dict[str, Any] | None:
    """The first cell of `new` whose points are others in `old`, as the messages name it."""
    for name, points in new.items():
        if old.get(name, 0.0) != points:
            return {"cell": name, "old": old.get(name, 0.0), "new": points}
    return None


def check_mark(report: Report) -> Mark:
    """All criteria but speed, which has a cell of its own."""
    criteria = [c for c in report.criteria if c.name != SPEED]
    possible = sum(c.possible for c in criteria)
    if any(c.reason in NEEDS_A_LOOK for c in criteria):
        return Mark(None, possible)
    return Mark(min(possible, max(0.0, sum(c.earned for c in criteria))), possible)


def speed_mark(report: Report) -> Mark:
    """The speed criterion: no points until it has been timed on a GPU."""
    speed = report.criterion(SPEED)
    if speed.is_open or speed.reason in NEEDS_A_LOOK:
        return Mark(None, speed.possible)
    return Mark(speed.earned, speed.possible)


def with_speed(report: Report, timed: dict[str, Any] | None) -> Report:
    """The report with the result of timing its program on a GPU.

    Args:
        report: with a pending speed criterion, else it is returned as it is.
        timed: a record of the results file (see `autograder.speed.results`), or None.
    """
    speed = next((c for c in report.criteria if c.name == SPEED), None)
    if speed is None or timed is None or speed.status is not Status.PENDING:
        return report
    return replace(
        report,
        criteria=tuple(_timed(c, timed) if c is speed else c for c in report.criteria),
    )


def _timed(speed: CriterionResult, timed: dict[str, Any]) -> CriterionResult:
    status = Status(timed["status"])
    if status is Status.PENDING:
        return speed
    figures = {name: timed.get(name) or 0.0 for name in ("ratio", "low", "high", "threshold")}
    text = messages.GPU_SPEED.format(**figures) if timed.get("ratio") else str(timed.get("reason"))
    severity = "error" if status is Status.FAILED else "warning"
    earned = speed.possible if status is Status.PASSED else 0.0
    findings = (Finding("gpu-speed", severity, None, text),)
    reason = str(timed.get("reason") or "") if status is Status.INCONCLUSIVE else ""
    bars = read_picture({"kind": "speed", "where": "GPU", **figures})
    return replace(
        speed, status=status, earned=earned, reason=reason, findings=findings, picture=bars
    )
