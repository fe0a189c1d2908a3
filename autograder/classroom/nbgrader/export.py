"""`nbgrader export` with a column a criterion, telling 0, pending and not graded apart."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.classroom.gradebook import class_totals
from autograder.classroom.marks import NEEDS_A_LOOK, points_in
from autograder.classroom.table import NEEDS_MANUAL_GRADE, cell
from autograder.classroom.totals import CellMark, Totals
from autograder.core.files import write_whole
from autograder.core.notebook import KIT_METADATA, nbformat
from autograder.core.report import CRITERIA, Report
from autograder.core.rubric import RubricError, speed_name
from autograder.lessons.course import the_course
from autograder.render.score import REPORT_MIME

COLUMNS: tuple[str, ...] = (
    "assignment",
    "exercise",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    *CRITERIA,
    "earned",
    "possible",
    "pending",
    "status",
    "score",
    "max_score",
    "late_submission_penalty",
    "assignment_score",
    "assignment_max_score",
)

NOT_HANDED_IN = "not handed in"
RUN_AUTOGRADE = "not graded: run `nbgrader autograde`"


def reports_of(notebook: Path) -> dict[str, Report]:
    """The reports that grading left in the check cells of one of the kit's notebooks."""
    try:
        node = nbformat.read(notebook, as_version=4)
    except (OSError, ValueError, nbformat.reader.NotJSONError):
        return {}
    if KIT_METADATA not in node["metadata"]:
        return {}
    found: dict[str, list[Report]] = {}
    for part in node["cells"]:
        for output in part.get("outputs", ()):
            data: Any = output.get("data", {}).get(REPORT_MIME)
            if data is not None:
                report = Report.from_json(data)
                found.setdefault(report.exercise, []).append(report)
    return {exercise: reports[0] for exercise, reports in found.items()}


def _status(report: Report, score: float | None, marks: Sequence[CellMark]) -> str:
    reasons = {c.reason for c in report.criteria}
    if score is None and reasons & NEEDS_A_LOOK:
        return f"not graded: {min(reasons & NEEDS_A_LOOK)}"
    if any(mark.by_hand and mark.asks for mark in marks):
        return NEEDS_MANUAL_GRADE
    return "pending" if report.pending else str(report.status).replace("_", " ")


class CriteriaExport(ExportPlugin):
    """A row for each student and each exercise or answer in words; named with ``--exporter``.

    Points as nbgrader's gradebook has them, marks given by hand included, are in ``score``, and
    their total, less the penalty for handing in late, in ``assignment_score``. The criteria are the
    automatic ones, as last recorded. What waits for a person has the status ``needs manual grade``.
    An assignment that is not the kit's has one row a student, with a score only.
    """

    def export(self, gradebook: Gradebook) -> None:
        """Write the table to ``--to``, by default criteria.csv."""
        target = Path(self.to or "criteria.csv")
        self.log.info("Exporting criteria to %s", target)
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        assignments: list[Any] = sorted(gradebook.assignments, key=lambda a: a.name)
        for assignment in assignments:
            if not self.assignment or assignment.name in [str(a) for a in self.assignment]:
                writer.writerows(self._rows(gradebook, assignment))
        write_whole(target, text.getvalue().encode(errors="replace"))

    def _rows(self, gradebook: Gradebook, assignment: Any) -> Iterator[dict[str, Any]]:
        exercises, answers = self._parts(assignment.name)
        recorded = class_totals(gradebook, assignment.name)
        students: list[Any] = sorted(gradebook.students, key=lambda s: s.id)
        for student in students:
            if self.student and student.id not in [str(s) for s in self.student]:
                continue
            row = {
                "assignment": assignment.name,
                "duedate": assignment.duedate or "",
                "student_id": student.id,
                "last_name": student.last_name or "",
                "first_name": student.first_name or "",
                "email": student.email or "",
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
            row["assignment_score"] = f"{totals.earned:g}"
            row["assignment_max_score"] = f"{totals.max_score:g}"
            if not exercises:
                numbers = {"score": submission.score, "max_score": submission.max_score}
                row["status"] = NEEDS_MANUAL_GRADE if any(c.asks for c in totals.cells) else ""
                yield {**row, **{name: f"{value:g}" for name, value in numbers.items()}}
                continue
            folder = self._folder("autograded", student.id, assignment.name)
            reports = reports_of(folder / f"{assignment.name}.ipynb")
            for exercise in exercises:
                yield {**row, **_exercise(totals, exercise, reports.get(exercise))}
            for answer in answers:
                yield {**row, **_answer(totals, answer)}

    def _parts(self, assignment: str) -> tuple[list[str], list[str]]:
        """The exercises and the answers in words of a lesson; none for another assignment."""
        try:
            notebook = self._folder("source", ".", assignment) / f"{assignment}.ipynb"
            node = nbformat.read(notebook, as_version=4)
            lesson = node["metadata"][KIT_METADATA]["lesson"]
            exercises = [exercise.name for exercise in the_course().rubric(lesson).exercises]
        except (OSError, ValueError, KeyError, RubricError):
            return [], []
        checked = {*exercises, *map(speed_name, exercises)}
        return exercises, [name for name in points_in(node) if name not in checked]

    def _folder(self, step: str, student: str, assignment: str) -> Path:
        app: Any = self.parent
        folder = getattr(app.coursedir, f"{step}_directory")
        return Path(app.coursedir.format_path(folder, student, assignment))


def _exercise(totals: Totals, exercise: str, report: Report | None) -> dict[str, Any]:
    """What there is to say of one exercise of a recorded submission."""
    marks = [c for c in totals.cells if c.name in (exercise, speed_name(exercise))]
    given = [c.points for c in marks if c.points is not None]
    score = sum(given) if given else None
    row = {
        "exercise": exercise,
        "score": "" if score is None else f"{score:g}",
        "max_score": f"{sum(c.possible for c in marks):g}",
    }
    if report is None:
        return {**row, "status": RUN_AUTOGRADE}
    row |= {c.name: cell(c) for c in report.criteria}
    row["status"] = _status(report, score, marks)
    if score is not None:
        row |= {name: f"{getattr(report, name):g}" for name in ("earned", "possible", "pending")}
    return row


def _answer(totals: Totals, name: str) -> dict[str, Any]:
    """What there is to say of one answer in words of a recorded submission."""
    marks = [c for c in totals.cells if c.name == name]
    own = Totals(tuple(marks))
    is_marked = any(c.points is not None for c in marks)
    asks = any(c.asks for c in marks)
    return {
        "exercise": name,
        "status": NEEDS_MANUAL_GRADE if asks else "graded",
        "score": f"{own.earned:g}" if is_marked else "",
        **{n: f"{getattr(own, n):g}" for n in ("earned", "possible", "pending", "max_score")},
    }
