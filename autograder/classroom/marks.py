"""What of a report goes into which of nbgrader's grade cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.core.notebook import NotebookNode
from autograder.core.report import KIT_ERROR, Report
from autograder.core.rubric import Rubric, speed_name
from autograder.criteria.speed.decision import SPEED
from autograder.lessons.authoring import gradable_points

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
    """The speed criterion: no points until a right program has been timed on a GPU."""
    speed = report.criterion(SPEED)
    if speed.is_open or speed.reason in NEEDS_A_LOOK:
        return Mark(None, speed.possible)
    return Mark(speed.earned, speed.possible)
