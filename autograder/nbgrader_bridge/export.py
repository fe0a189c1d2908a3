"""`nbgrader export` with a column a criterion, telling 0, pending and not graded apart."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.atomic import write_whole
from autograder.classroom.marks import NEEDS_A_LOOK
from autograder.classroom.table import cell
from autograder.intake import KIT_METADATA
from autograder.notebook_format import nbformat
from autograder.report import CRITERIA, Report
from autograder.rubric import RubricError, load_lesson, speed_name
from autograder.score import REPORT_MIME

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


def _status(report: Report, score: float | None) -> str:
    reasons = {c.reason for c in report.criteria}
    if score is None and reasons & NEEDS_A_LOOK:
        return f"not graded: {min(reasons & NEEDS_A_LOOK)}"
    return "pending" if report.pending else str(report.status).replace("_", " ")


class CriteriaExport(ExportPlugin):
    """A row for each assignment, exercise and student; named with ``--exporter``.

    Points as nbgrader's gradebook has them, marks given by hand included, are in ``score``; the
    criteria are the automatic ones, as last recorded. An assignment that is not the kit's has one
    row a student, with a score only.
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
        exercises = self._exercises(assignment.name)
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
                for exercise in exercises or [""]:
                    yield {**row, "exercise": exercise}
                continue
            row["timestamp"] = submission.timestamp or ""
            row["late_submission_penalty"] = f"{submission.late_submission_penalty:g}"
            if not exercises:
                numbers = {"score": submission.score, "max_score": submission.max_score}
                yield {**row, **{name: f"{value:g}" for name, value in numbers.items()}}
                continue
            folder = self._folder("autograded", student.id, assignment.name)
            reports = reports_of(folder / f"{assignment.name}.ipynb")
            for exercise in exercises:
                yield {**row, **_exercise(submission, exercise, reports.get(exercise))}

    def _exercises(self, assignment: str) -> list[str]:
        """Names of the exercises of a lesson of the kit; none for another assignment."""
        try:
            notebook = self._folder("source", ".", assignment) / f"{assignment}.ipynb"
            node = nbformat.read(notebook, as_version=4)
            lesson = node["metadata"][KIT_METADATA]["lesson"]
            return [exercise.name for exercise in load_lesson(lesson).exercises]
        except (OSError, ValueError, KeyError, RubricError):
            return []

    def _folder(self, step: str, student: str, assignment: str) -> Path:
        app: Any = self.parent
        folder = getattr(app.coursedir, f"{step}_directory")
        return Path(app.coursedir.format_path(folder, student, assignment))


def _exercise(submission: Any, exercise: str, report: Report | None) -> dict[str, Any]:
    """What there is to say of one exercise of a recorded submission."""
    names = (exercise, speed_name(exercise))
    grades = [g for nb in submission.notebooks for g in nb.grades if g.name in names]
    given = [g for g in grades if g.auto_score is not None or g.manual_score is not None]
    score = sum(g.score for g in given) if given else None
    row = {
        "exercise": exercise,
        "score": "" if score is None else f"{score:g}",
        "max_score": f"{sum(g.max_score for g in grades):g}",
    }
    if report is None:
        return {**row, "status": RUN_AUTOGRADE}
    row |= {c.name: cell(c) for c in report.criteria}
    row["status"] = _status(report, score)
    if score is not None:
        row |= {name: f"{getattr(report, name):g}" for name in ("earned", "possible", "pending")}
    return row
