"""The marks of nbgrader's grade cells: taken from reports, and added up as nbgrader does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.classroom.course_folder import ClassError
from autograder.criteria.speed.decision import SPEED, speed_of
from autograder.lessons.authoring import gradable_points
from autograder.model.exercise import speed_name
from autograder.model.notebook import NotebookNode, is_defence_name
from autograder.model.reasons import ONLY_OBSERVED
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric import Rubric


@dataclass(frozen=True)
class CellMark:
    """The mark of one of nbgrader's grade cells.

    Attributes:
        name: its grade id.
        points: the mark given by hand, else the automatic one; None when there is neither.
        possible: the cell's points.
        by_hand: whether a person gave the mark.
        needs_manual_grade: nbgrader's flag: a person must give or confirm the mark.
    """

    name: str
    points: float | None
    possible: float
    by_hand: bool = False
    needs_manual_grade: bool = False


@dataclass(frozen=True)
class Totals:
    """All grade cells of a submission; `penalty` is the points taken off for lateness."""

    cells: tuple[CellMark, ...]
    penalty: float = 0.0

    @property
    def earned(self) -> float:
        return max(0.0, sum(c.points for c in self.cells if c.points is not None) - self.penalty)

    @property
    def possible(self) -> float:
        """Points decided by now."""
        return self.max_score - self.pending

    @property
    def pending(self) -> float:
        """Points that wait for a GPU or for a person: neither earned nor lost."""
        return sum(c.possible for c in self.cells if c.points is None)

    @property
    def max_score(self) -> float:
        """What the assignment is worth, decided or not."""
        return sum(c.possible for c in self.cells)

    def mark(self) -> str:
        """Return the mark as written everywhere: ``7 / 9 (+2 pending)``."""
        more = [f"+{self.pending:g} pending"] * bool(self.pending)
        more += [f"{self.penalty:g} off for lateness"] * bool(self.penalty)
        text = f"{self.earned:g} / {self.possible:g}"
        return f"{text} ({', '.join(more)})" if more else text


def points_of_cells(rubric: Rubric) -> dict[str, float]:
    """Return the points of each grade cell that a rubric fills in, by grade id."""
    points: dict[str, float] = {}
    for exercise in rubric.exercises:
        points[exercise.name] = gradable_points(rubric, exercise.name)
        if SPEED in exercise.points:
            points[speed_name(exercise.name)] = float(exercise.points[SPEED])
    return points


def points_in(notebook: NotebookNode) -> dict[str, float]:
    """Return the points of a notebook's grade cells that count, by grade id."""
    return {name: p for name, p in _points_in(notebook).items() if not is_left_out(name, p)}


def defence_points_in(notebook: NotebookNode) -> dict[str, float]:
    """Return the points of a notebook's defence cell, by grade id; earlier ones have none."""
    return {name: p for name, p in _points_in(notebook).items() if is_defence_name(name)}


def _points_in(notebook: NotebookNode) -> dict[str, float]:
    cells = [cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]]
    return {c["grade_id"]: float(c.get("points") or 0) for c in cells if c.get("grade")}


def is_left_out(name: str, points: float) -> bool:
    """Whether a grade cell is a defence cell that the course gives no points for."""
    return not points and is_defence_name(name)


def check_points(
    old: Mapping[str, float], new: Mapping[str, float], message: str, **where: object
) -> None:
    """Check that grade cells have the points that the rubric gives them.

    Raises:
        ClassError: `message`, about the first cell of `new` with other points in `old`.
    """
    for name, points in new.items():
        if old.get(name, 0.0) != points:
            figures = {"cell": name, "old": old.get(name, 0.0), "new": points}
            raise ClassError(message.format(**figures, **where))


def earned_by_observation(report: Report) -> list[CriterionResult]:
    """Return the criteria whose points the student's source could have forged."""
    return [c for c in report.criteria if c.evidence == "observed" and c.earned > 0]


def hold_back(report: Report) -> Report:
    """Return the report without the points that its source could have forged."""
    held = {c.name for c in earned_by_observation(report)}
    return replace(
        report,
        criteria=tuple(
            replace(c, status=Status.PENDING, earned=0.0, reason=ONLY_OBSERVED)
            if c.name in held
            else c
            for c in report.criteria
        ),
    )


def cells_to_decide(report: Report) -> set[str]:
    """Return the grade ids of a report's cells whose marks wait for a person."""
    return {
        speed_name(report.exercise) if c.name == SPEED else report.exercise
        for c in report.criteria
        if c.waits_for_person
    }


def check_mark(report: Report) -> CellMark:
    """Return the mark of a check cell: all criteria but speed, which has a cell of its own.

    There is none where a criterion waits for a person.
    """
    criteria = [c for c in report.criteria if c.name != SPEED]
    possible = sum(c.possible for c in criteria)
    if report.exercise in cells_to_decide(report):
        return CellMark(report.exercise, None, possible)
    points = min(possible, max(0.0, sum(c.earned for c in criteria)))
    return CellMark(report.exercise, points, possible)


def speed_mark(report: Report) -> CellMark:
    """Return the mark of the speed cell: no points until a program has been timed on a GPU."""
    speed = report.criterion(SPEED)
    points = None if speed.is_open or speed.waits_for_person else speed.earned
    return CellMark(speed_name(report.exercise), points, speed.possible)


def marks_of(report: Report) -> dict[str, CellMark]:
    """Return the marks of the grade cells that a report fills in, by grade id."""
    marks = [check_mark(report)]
    if speed_of(report) is not None:
        marks.append(speed_mark(report))
    return {mark.name: mark for mark in marks}


def automatic_totals(reports: Sequence[Report], points: Mapping[str, float]) -> Totals:
    """Return the totals of a submission that no gradebook holds: marks by hand are pending."""
    cells = {name: CellMark(name, None, possible) for name, possible in points.items()}
    for report in reports:
        cells |= marks_of(report)
    return Totals(tuple(cells[name] for name in sorted(cells)))
