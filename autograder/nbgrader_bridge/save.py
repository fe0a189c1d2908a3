"""Replaces nbgrader's SaveAutoGrades: marks come from the reports, not from printed text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbgrader.preprocessors import SaveAutoGrades
from nbgrader.utils import determine_grade

from autograder.classroom.course_config import CourseConfig
from autograder.classroom.gradebook import Handover, open_gradebook
from autograder.classroom.handed_in import BY_HAND
from autograder.classroom.marks import cells_to_decide, marks_of
from autograder.classroom.timestamps import TIMESTAMP, find_timestamp
from autograder.grading.own_words import own_words
from autograder.model.notebook import NotebookNode
from autograder.model.report import SCHEMA, Report
from autograder.nbgrader_bridge.grade import HANDOVER, course_of
from autograder.processes.files import write_whole
from autograder.render.score import reports_shown


class MarkMemory:
    """Remembers the answer and the automatic mark for which a mark was given by hand.

    nbgrader asks a person to confirm such a mark whenever a submission is graded again. The kit
    asks only where one of the two has changed. Neither the gradebook nor formgrader stores them, so
    each recording writes them to a file for each submission. A mark that was given after a
    recording was given for what that recording wrote. The file names the gradebook's unique id of
    each grade.
    """

    def __init__(self, course: Path, assignment: str, student: str) -> None:
        self._path = course / BY_HAND / assignment / f"{student}.json"
        self._grades: dict[str, dict[str, str]] = {}
        try:
            data: Any = json.loads(self._path.read_text(encoding="utf-8"))
            if data["schema"] == SCHEMA:
                self._grades = {name: dict(entry) for name, entry in data["grades"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass  # nothing is remembered: a person is asked

    def needs_manual_grade(
        self, grade: Any, answer: str, points: float | None, *, in_doubt: bool = False
    ) -> bool:
        """Remember a grade that is about to be recorded; return whether a person must decide.

        `grade` is nbgrader's before the recording, and `points` is the new automatic mark, which a
        person must confirm where it is `in_doubt`.
        """
        automatic = None if points is None else float(points)
        now = hashlib.sha256(repr((answer, automatic)).encode()).hexdigest()
        before = self._grades.get(grade.id, {})
        # Until a person confirms the mark, it stays a mark for the earlier answer.
        is_settled = grade.manual_score is not None and not grade.needs_manual_grade
        given_for = before.get("recorded" if is_settled else "given_for", "")
        self._grades[grade.id] = {"recorded": now, "given_for": given_for}
        return points is None or in_doubt if grade.manual_score is None else now != given_for

    def save(self) -> None:
        """Write the file, after the gradebook's commit: a crash in between asks a person.

        Raises:
            OSError: the disk is full, or the folder cannot be written.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, json.dumps({"schema": SCHEMA, "grades": self._grades}))


class SaveMarks(SaveAutoGrades):
    """Saves marks from the reports; a speed cell that waits for a GPU gets no score yet.

    When the submission was handed in is saved too, before nbgrader decides on lateness.

    A mark given by hand stays. A person must confirm it only where the answer or the automatic
    mark has changed, in notebooks of any origin.
    """

    _notebook: NotebookNode
    _memory: MarkMemory
    _handover: Handover | None
    _elsewhere: tuple[str, ...]

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Save the marks of a notebook."""
        exporter: Any = self.parent
        config, names = course_of(exporter), resources["nbgrader"]
        self._notebook = nb
        self._memory = MarkMemory(config.course, names["assignment"], names["student"])
        self._handover = resources.get(HANDOVER)
        self._elsewhere = () if self._handover is None else _find_elsewhere(nb, self._handover)
        done = super().preprocess(nb, resources)
        _save_timestamp(exporter.parent.coursedir, config, names)
        self._memory.save()
        return done

    def _add_score(self, cell: NotebookNode, resources: Any) -> None:
        mark = cell["metadata"]["nbgrader"]
        identity = mark["grade_id"]
        grade: Any = self.gradebook.find_grade(
            identity, self.notebook_id, self.assignment_id, self.student_id
        )
        # In other notebooks, the student's own code may have written what looks like a report.
        is_ours = self._handover is not None and cell["cell_type"] == "code"
        report = next(iter(reports_shown(cell)), None) if is_ours else None
        elsewhere: tuple[str, ...] = ()
        if report and identity in marks_of(report):
            points = marks_of(report)[identity].points
        elif is_ours and not grade.max_score:
            points = 0.0
        elif is_ours and not mark.get("solution"):
            points = None  # no rubric checks it, and nothing ran it
        else:
            points = determine_grade(cell, self.log)[0]
            if points == 0 or not cell["source"].strip():  # 0: it is as it was released
                elsewhere = self._elsewhere
            points = None if elsewhere else points
        answer = self._answer_to(cell, report, elsewhere)
        doubts = self._handover.task.staged.doubts if self._handover and report else ()
        grade.needs_manual_grade = self._memory.needs_manual_grade(
            grade, answer, points, in_doubt=bool(doubts)
        )
        grade.auto_score = points
        self.gradebook.db.commit()

    def _answer_to(
        self, cell: NotebookNode, report: Report | None, elsewhere: Sequence[str]
    ) -> str:
        """What a person reads for a grade cell: what is in it, or in the cells that it checks.

        Where the exercise is not known, every solution cell may belong to it. Where it could not
        be judged, or the answer may stand elsewhere, any cell may.
        """
        cells = self._notebook["cells"]
        if cell["metadata"]["nbgrader"].get("solution"):
            parts = [cell, *({"source": text} for text in elsewhere)]
        elif report and cells_to_decide(report):
            parts = [c for c in cells if c["cell_type"] == "code"]
        else:
            marked = [(c, c["metadata"].get("nbgrader", {})) for c in cells]
            parts = [c for c, m in marked if m.get("solution") and not m.get("grade")]
            name = f"{report.exercise}-solution" if report else ""
            own = [c for c in parts if c["metadata"]["nbgrader"]["grade_id"] == name]
            parts = own or parts
        return json.dumps([(part["source"], part.get("attachments")) for part in parts])


def _find_elsewhere(notebook: NotebookNode, handover: Handover) -> tuple[str, ...]:
    """Return what the student may have written in words outside of the cells for it.

    Where the file cannot be read, that may be anything, and so it names the reason.
    """
    unread = handover.task.repaired.unreadable
    return (unread,) if unread else own_words(notebook, handover.assignment.released)


def _save_timestamp(coursedir: Any, config: CourseConfig, names: dict[str, str]) -> None:
    """Write into the gradebook when a submission was handed in, or that nobody knows.

    nbgrader keeps what it read before where there is nothing to read now, and its policy for
    lateness looks into the gradebook. The copy beside the graded notebook says the same, in words
    that all nbgrader commands read.
    """
    assignment, student = names["assignment"], names["student"]
    folder = coursedir.format_path(coursedir.submitted_directory, student, assignment)
    found = find_timestamp(Path(folder), config.clock)
    with open_gradebook(coursedir) as gradebook:
        submission = gradebook.find_submission(assignment, student)
        submission.timestamp = found.when
        gradebook.db.commit()
    folder = coursedir.format_path(coursedir.autograded_directory, student, assignment)
    copy = Path(folder) / TIMESTAMP
    if copy.is_file() and copy.read_bytes() != found.plain:
        copy.unlink()
        if found.plain is not None:
            copy.write_bytes(found.plain)
