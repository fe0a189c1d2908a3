"""Replaces nbgrader's SaveAutoGrades: marks come from the reports, not from printed text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nbgrader.preprocessors import SaveAutoGrades
from nbgrader.utils import determine_grade

from autograder.classroom.marks import check_mark, speed_mark
from autograder.classroom.nbgrader.by_hand import MarkMemory
from autograder.core.notebook import KIT_METADATA, NotebookNode
from autograder.core.rubric import speed_name
from autograder.render.score import reports_shown


def _answer_to(cell: NotebookNode, exercise: str, notebook: NotebookNode) -> str:
    """What the student wrote for a grade cell: in it, or in the solution cells that it checks.

    Where the exercise is unknown (""), every solution cell may belong to it.
    """
    if cell["metadata"]["nbgrader"].get("solution"):
        parts = [cell]
    else:
        marked = [(c, c["metadata"].get("nbgrader", {})) for c in notebook["cells"]]
        parts = [c for c, m in marked if m.get("solution") and not m.get("grade")]
        own = [c for c in parts if c["metadata"]["nbgrader"]["grade_id"] == f"{exercise}-solution"]
        parts = own or parts
    return json.dumps([(part["source"], part.get("attachments")) for part in parts])


class SaveMarks(SaveAutoGrades):
    """Saves marks from the reports; a speed cell that waits for a GPU gets no score yet.

    A mark given by hand stays. A person must confirm it only where the answer or the automatic
    mark has changed, in notebooks of any origin.
    """

    _notebook: NotebookNode
    _memory: MarkMemory

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        exporter: Any = self.parent
        names = resources["nbgrader"]
        course = Path(exporter.parent.coursedir.root)
        self._notebook = nb
        self._memory = MarkMemory(course, names["assignment"], names["student"])
        done = super().preprocess(nb, resources)
        self._memory.save()
        return done

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        # In other notebooks, the student's own code may have written what looks like a report.
        is_ours = KIT_METADATA in self._notebook["metadata"] and cell["cell_type"] == "code"
        report = next(iter(reports_shown(cell)), None) if is_ours else None
        identity = cell["metadata"]["nbgrader"]["grade_id"]
        if report is None:
            points, _ = determine_grade(cell, self.log)
        elif identity == speed_name(report.exercise):
            points = speed_mark(report).points
        else:
            points = check_mark(report).points
        grade: Any = self.gradebook.find_grade(
            identity, self.notebook_id, self.assignment_id, self.student_id
        )
        answer = _answer_to(cell, report.exercise if report else "", self._notebook)
        grade.needs_manual_grade = self._memory.needs_manual_grade(grade, answer, points)
        grade.auto_score = points
        self.gradebook.db.commit()
