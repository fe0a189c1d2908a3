"""Which parts of a report go into which of nbgrader's grade cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograder.classroom.totals import CellMark, Totals
from autograder.core.notebook import NotebookNode
from autograder.core.report import KIT_ERROR, Report
from autograder.core.rubric import Rubric, speed_name
from autograder.criteria.speed.decision import SPEED
from autograder.lessons.authoring import gradable_points

REVIEW_REASONS = {
    KIT_ERROR,
    "unreadable-notebook",
    "worker-died",
    "timeout",
    "too-much-memory",
    "too-many-processes",
}
"""Reasons for which a person should review a submission: its cell gets no automatic mark."""


def points_of_cells(rubric: Rubric) -> dict[str, float]:
    """Return the points of each grade cell that a rubric fills in, by grade id."""
    points: dict[str, float] = {}
    for exercise in rubric.exercises:
        points[exercise.name] = gradable_points(rubric, exercise.name)
        if exercise.speed is not None:
            points[speed_name(exercise.name)] = float(exercise.points[SPEED])
    return points


def points_in(notebook: NotebookNode) -> dict[str, float]:
    """Return the points of a notebook's grade cells, by grade id."""
    cells = [cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]]
    return {c["grade_id"]: float(c.get("points") or 0) for c in cells if c.get("grade")}


def changed_points(old: Mapping[str, float], new: Mapping[str, float]) -> dict[str, Any] | None:
    """Return the first cell of `new` that has other points in `old`, for the messages to name."""
    for name, points in new.items():
        if old.get(name, 0.0) != points:
            return {"cell": name, "old": old.get(name, 0.0), "new": points}
    return None


def check_mark(report: Report) -> CellMark:
    """Return the mark of a check cell: all criteria but speed, which has a cell of its own."""
    criteria = [c for c in report.criteria if c.name != SPEED]
    possible = sum(c.possible for c in criteria)
    if any(c.reason in REVIEW_REASONS for c in criteria):
        return CellMark(report.exercise, None, possible)
    points = min(possible, max(0.0, sum(c.earned for c in criteria)))
    return CellMark(report.exercise, points, possible)


def speed_mark(report: Report) -> CellMark:
    """Return the mark of the speed cell: no points until a program has been timed on a GPU."""
    speed = report.criterion(SPEED)
    is_undecided = speed.is_open or speed.reason in REVIEW_REASONS
    points = None if is_undecided else speed.earned
    return CellMark(speed_name(report.exercise), points, speed.possible)


def automatic_totals(reports: Sequence[Report], points: Mapping[str, float]) -> Totals:
    """Return the totals of a submission that no gradebook holds: marks by hand are pending."""
    cells = {name: CellMark(name, None, possible) for name, possible in points.items()}
    for report in reports:
        marks = [check_mark(report)]
        if any(c.name == SPEED for c in report.criteria):
            marks.append(speed_mark(report))
        cells |= {mark.name: mark for mark in marks}
    return Totals(tuple(cells[name] for name in sorted(cells)))
