"""In place of nbgrader's SaveAutoGrades: marks from the reports, not from printed text."""

from __future__ import annotations

from typing import Any

from nbgrader.preprocessors import SaveAutoGrades

from autograder.classroom.marks import Mark, check_mark, speed_mark
from autograder.intake import KIT_METADATA
from autograder.notebook_format import NotebookNode
from autograder.report import Report
from autograder.rubric import speed_name
from autograder.score import REPORT_MIME


def mark_of(cell: NotebookNode) -> Mark | None:
    """The mark that a check cell's report gives; None for cells that are not the kit's."""
    for output in cell.get("outputs", ()):
        data = output.get("data", {}).get(REPORT_MIME)
        if data is not None:
            report = Report.from_json(data)
            identity = cell["metadata"]["nbgrader"]["grade_id"]
            is_speed = identity == speed_name(report.exercise)
            return speed_mark(report) if is_speed else check_mark(report)
    return None


class SaveMarks(SaveAutoGrades):
    """Leaves the cell of a pending speed criterion without a score, marked as needing one."""

    _is_ours = False

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        self._is_ours = KIT_METADATA in nb["metadata"]
        return super().preprocess(nb, resources)

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        # In other notebooks the student's own code may have written what looks like a report.
        mark = mark_of(cell) if self._is_ours and cell["cell_type"] == "code" else None
        if mark is None:
            super()._add_score(cell, resources)
            return
        grade: Any = self.gradebook.find_grade(
            cell["metadata"]["nbgrader"]["grade_id"],
            self.notebook_id,
            self.assignment_id,
            self.student_id,
        )
        # A mark given by hand stands; it needs another look only where the automatic one moved.
        if grade.manual_score is None:
            grade.needs_manual_grade = mark.points is None
        elif grade.auto_score != mark.points:
            grade.needs_manual_grade = True
        grade.auto_score = mark.points
        self.gradebook.db.commit()
