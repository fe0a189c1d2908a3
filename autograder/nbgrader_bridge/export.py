"""`nbgrader export` with a column for each criterion; 0, pending and not graded differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.classroom.gradebook import class_totals
from autograder.classroom.marks import (
    NOT_YET,
    CellMark,
    Totals,
    cells_to_decide,
    points_in,
    points_of_cells,
    why_not_graded,
)
from autograder.classroom.table import NEEDS_MANUAL_GRADE, criterion_entry, csv_cell, write_csv
from autograder.lessons.authoring import released_version
from autograder.model.exercise import RubricError, speed_name
from autograder.model.notebook import KIT_METADATA, nbformat
from autograder.model.report import CRITERIA, Report, Status
from autograder.nbgrader_bridge.grade import config_of
from autograder.render import remark
from autograder.render.score import reports_shown

PERSON = ("last_name", "first_name", "email")
SUMS = ("earned", "possible", "pending")
COLUMNS: tuple[str, ...] = (
    *("assignment", "exercise", "duedate", "timestamp", "student_id"),
    *PERSON,
    *CRITERIA,
    *SUMS,
    *("status", "score", "max_score", "late_submission_penalty"),
    *("assignment_score", "assignment_max_score"),
)

NOT_HANDED_IN = "not handed in"
RUN_AUTOGRADE = f"{NOT_YET}: run `nbgrader autograde`"


def _reports_in(path: Path) -> list[Report]:
    """Return the reports in one of the kit's notebooks; none where there is none, or another."""
    try:
        node = nbformat.read(path, as_version=4)
    except (OSError, ValueError, nbformat.reader.NotJSONError):
        return []
    cells = node["cells"] if KIT_METADATA in node["metadata"] else []
    return [report for cell in cells for report in reports_shown(cell)]


class CriteriaExport(ExportPlugin):
    """Exports a row for each student and each exercise or answer in words.

    The columns of the criteria, ``earned``, ``possible`` and ``pending`` hold automatic points.
    ``score`` has the points in nbgrader's gradebook, with marks given by hand.
    ``assignment_score`` is their total, less the penalty for lateness, and empty until all is
    decided. What a person must mark has the status ``needs manual grade``, or says why it could not
    be graded. An assignment that is not the kit's has one row for each
    student, with a score only.
    """

    def export(self, gradebook: Gradebook) -> None:
        """Write the table to the file of ``--to``, by default criteria.csv."""
        target = Path(self.to or "criteria.csv")
        self.log.info("Exporting criteria to %s", target)
        rows: list[Sequence[object]] = [COLUMNS]
        assignments: list[Any] = sorted(gradebook.assignments, key=lambda a: a.name)
        for assignment in assignments:
            if not self.assignment or assignment.name in [str(a) for a in self.assignment]:
                found = self._rows(gradebook, assignment)
                rows += [[row.get(name, "") for name in COLUMNS] for row in found]
        write_csv(target, rows)

    def _rows(self, gradebook: Gradebook, assignment: Any) -> Iterator[dict[str, Any]]:
        exercises, answers = self._parts(assignment.name)
        recorded = class_totals(gradebook, assignment.name)
        students: list[Any] = sorted(gradebook.students, key=lambda s: s.id)
        for student in students:
            if self.student and student.id not in [str(s) for s in self.student]:
                continue
            row: dict[str, Any] = {
                "assignment": assignment.name,
                "duedate": assignment.duedate or "",
                "student_id": csv_cell(student.id),
                **{name: csv_cell(getattr(student, name) or "") for name in PERSON},
            }
            try:
                submission: Any = gradebook.find_submission(assignment.name, student.id)
            except MissingEntry:
                handed_in = self._folder("submitted", student.id, assignment.name).is_dir()
                row["status"] = RUN_AUTOGRADE if handed_in else NOT_HANDED_IN
                for part in [*exercises, *answers] or [""]:
                    yield {**row, "exercise": part}
                continue
            totals = recorded[student.id]
            row["timestamp"] = submission.timestamp or ""
            row["late_submission_penalty"] = f"{submission.late_submission_penalty:g}"
            row["assignment_score"] = "" if totals.pending else f"{totals.earned:g}"
            row["assignment_max_score"] = f"{totals.max_score:g}"
            if not exercises:
                needs_mark = any(c.needs_manual_grade for c in totals.cells)
                row["status"] = NEEDS_MANUAL_GRADE if needs_mark else ""
                row |= {n: f"{getattr(submission, n):g}" for n in ("score", "max_score")}
                yield row
                continue
            folder = self._folder("autograded", student.id, assignment.name)
            shown = _reports_in(folder / f"{assignment.name}.ipynb")
            for name in exercises:
                report = next((r for r in shown if r.exercise == name), None)
                marks = [c for c in totals.cells if c.name in (name, speed_name(name))]
                yield {**row, "exercise": name, **_exercise_columns(marks, report)}
            for name in answers:
                marks = [c for c in totals.cells if c.name == name]
                yield {**row, "exercise": name, **_answer_columns(marks)}

    def _parts(self, assignment: str) -> tuple[list[str], list[str]]:
        """The exercises and the answers in words of a lesson; none for other assignments."""
        app: Any = self.parent
        lessons = config_of(app.coursedir).lessons()
        source = self._folder("source", ".", assignment) / f"{assignment}.ipynb"
        node = released_version(source, lessons.grades_by_hand(assignment))
        if node is None:
            return [], []
        try:
            rubric = lessons.rubric(node["metadata"][KIT_METADATA]["lesson"])
        except (KeyError, RubricError):
            return [], []
        checked = points_of_cells(rubric)
        exercises = [exercise.name for exercise in rubric.exercises]
        return exercises, [name for name in points_in(node) if name not in checked]

    def _folder(self, step: str, student: str, assignment: str) -> Path:
        app: Any = self.parent
        folder = getattr(app.coursedir, f"{step}_directory")
        return Path(app.coursedir.format_path(folder, student, assignment))


def _score(totals: Totals) -> dict[str, str]:
    is_marked = any(c.points is not None for c in totals.cells)
    score = f"{totals.earned:g}" if is_marked else ""
    return {"score": score, "max_score": f"{totals.max_score:g}"}


def _sums(source: Report | Totals) -> dict[str, str]:
    return {name: f"{getattr(source, name):g}" for name in SUMS}


def _exercise_columns(marks: Sequence[CellMark], report: Report | None) -> dict[str, Any]:
    """The columns of one exercise of a recorded submission."""
    row = _score(Totals(tuple(marks)))
    if report is None:
        return {**row, "status": RUN_AUTOGRADE}
    row |= {c.name: criterion_entry(c).text for c in report.criteria}
    return {**row, **(_sums(report) if row["score"] else {}), "status": _status(report, marks)}


def _status(report: Report, marks: Sequence[CellMark]) -> str:
    waiting = {mark.name for mark in marks if mark.needs_manual_grade and not mark.by_hand}
    if waiting & cells_to_decide(report):
        return remark(next(c for c in report.criteria if c.waits_for_person))
    if any(mark.points is not None and mark.needs_manual_grade for mark in marks):
        return NEEDS_MANUAL_GRADE
    if report.status is Status.NOT_GRADED:
        return why_not_graded(report)
    return "pending" if report.pending else str(report.status)


def _answer_columns(marks: Sequence[CellMark]) -> dict[str, Any]:
    """The columns of one answer in words of a recorded submission."""
    needs_mark = any(c.needs_manual_grade for c in marks)
    status = NEEDS_MANUAL_GRADE if needs_mark else "graded"
    own = Totals(tuple(marks))
    return {**_score(own), **_sums(own), "status": status}
