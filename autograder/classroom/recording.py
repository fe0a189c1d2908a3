"""Records results with nbgrader's own converter, one submission at a time.

`autograder grade` has read, repaired and graded a submission before, and hands the result over.
nbgrader's preprocessors, which run in the same process, take it as it is. Under `nbgrader
autograde` nothing is handed over: they prepare and grade the submission themselves.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.course_folder import FOLDER, ClassError
from autograder.classroom.gradebook import (
    class_totals,
    course_config,
    nbgrader_quiet,
    open_gradebook,
    refuse_full_disk,
)
from autograder.classroom.lms.roster import Roster
from autograder.classroom.marks import Totals, check_points
from autograder.grading.repair import Repaired
from autograder.model.graded import Graded
from autograder.model.report import SCHEMA
from autograder.processes.files import write_whole


class RecordingError(RuntimeError):
    """nbgrader could not record a submission; the message is nbgrader's own last line."""


@dataclass(frozen=True)
class Handover:
    """A graded submission.

    Attributes:
        repaired: its notebook.
        notes: for the student.
        graded: its result.
        in_doubt: whether a person must confirm the mark: another file may be meant.
    """

    repaired: Repaired
    notes: tuple[str, ...]
    graded: Graded
    in_doubt: bool = False


_handed_over: dict[tuple[str, str], Handover] = {}


def find_handover(assignment: str, student: str) -> Handover | None:
    """Return what was handed over for a submission; None under nbgrader's own command."""
    return _handed_over.get((assignment, student))


class Recorder:
    """Runs `nbgrader autograde` in this process on submissions that are graded already.

    Remembers what it has recorded, so that a second run records only what changed. A submission's
    note is deleted before nbgrader begins and written after it has committed. After a crash in
    between, the submission is recorded again, with the same outcome.

    Args:
        course: its folder.
        assignment: whose submissions are recorded.
        staging: the folder that nbgrader takes them from.
        db: URL of the gradebook; default: the course's own.
    """

    def __init__(self, course: Path, assignment: str, staging: Path, db: str | None = None) -> None:
        from nbgrader.apps import NbGraderAPI
        from nbgrader.coursedir import CourseDirectory

        self._course, self._assignment = course, assignment
        self._notes = course / FOLDER / f"recorded-{assignment}.json"
        self._recorded: dict[str, str] = _read_notes(self._notes)
        config = course_config(course, db)
        config.CourseDirectory.submitted_directory = str(staging.relative_to(course))
        self._coursedir = CourseDirectory(config=config)
        self._api = NbGraderAPI(coursedir=self._coursedir, config=config)
        self._duedate: datetime | None = None
        self._extensions: dict[str, timedelta] = {}
        self._given: dict[str, timedelta | None] = {}
        self.totals: dict[str, Totals] = {}
        """By student, the marks that the gradebook holds."""

    def enrol(
        self, students: Sequence[str], points: Mapping[str, float], roster: Roster | None = None
    ) -> None:
        """Add the students in this order, and read the marks that the gradebook holds.

        nbgrader exports students in the order in which they were added. That must not depend on
        whose submission was graded first.

        Args:
            students: those to be recorded.
            points: the rubric's points, by grade id.
            roster: who has more time; default: what the gradebook says stays.

        Raises:
            ClassError: the gradebook or its driver is missing, or it does not hold the assignment
                as it is now, or the roster does not fit its due date.
            OSError: the disk is full.
        """
        from nbgrader.api import MissingEntry

        where = {"assignment": self._assignment, "course": self._course}
        try:
            with open_gradebook(self._coursedir) as gradebook:
                notebook: Any = gradebook.find_notebook(self._assignment, self._assignment)
                old = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
                check_points(old, points, messages.OLD_GRADEBOOK, **where)
                self._read_extensions(gradebook, students, roster)
                known = {student.id for student in gradebook.students}
                for student in students:
                    if student not in known:
                        gradebook.add_student(student)
                self.totals = class_totals(gradebook, self._assignment)
        except MissingEntry:
            raise ClassError(messages.NOT_IN_GRADEBOOK.format(**where)) from None

    def is_current(self, student: str, state: str) -> bool:
        """Return whether the gradebook holds this state of a submission."""
        autograded = self._course / "autograded" / student / self._assignment
        noted = self._recorded.get(student) == self._note(student, state)
        return noted and student in self.totals and autograded.is_dir()

    def _read_extensions(
        self, gradebook: Any, students: Sequence[str], roster: Roster | None
    ) -> None:
        """Read the due date and who has more time, and what the roster gives instead."""
        self._duedate = gradebook.find_assignment(self._assignment).duedate
        submissions = gradebook.assignment_submissions(self._assignment)
        self._extensions = {s.student.id: s.extension for s in submissions if s.extension}
        if roster is not None and roster.has_times:
            self._given = {
                student: roster.more_time(student, self._assignment, self._duedate)
                for student in students
                if student in roster.people
            }

    def _due(self, student: str) -> datetime | None:
        more = self._given.get(student, self._extensions.get(student))
        return self._duedate and self._duedate + (more or timedelta())

    def _grant(self, student: str) -> None:
        """Let nbgrader see the roster's extension, before it decides on a penalty."""
        if self._given.get(student, self._extensions.get(student)) == self._extensions.get(student):
            return
        more = self._given[student]
        with open_gradebook(self._coursedir) as gradebook:
            submission = gradebook.update_or_create_submission(self._assignment, student)
            submission.extension = more
            gradebook.db.commit()

    def _note(self, student: str, state: str) -> str:
        """Return the digest of a state in this gradebook; another gradebook does not hold it.

        Where there is a due date, the penalty for lateness depends on it.
        """
        parts = [self._coursedir.db_url, state, *filter(None, [self._due(student)])]
        return hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()

    def record(self, student: str, state: str, handover: Handover) -> None:
        """Record one submission.

        Args:
            student: who handed it in.
            state: digest of what the gradebook will hold, for `is_current`.
            handover: the graded submission.

        Raises:
            RecordingError: nbgrader failed.
            OSError: the disk is full.
        """
        if self._recorded.pop(student, None) is not None:
            self._write_notes()
        self._grant(student)
        _handed_over[self._assignment, student] = handover
        try:
            with nbgrader_quiet():
                result = self._api.autograde(self._assignment, student, force=True)
        finally:
            del _handed_over[self._assignment, student]
        if not result["success"]:
            log = "\n".join(str(result.get(part) or "") for part in ("log", "error"))
            refuse_full_disk(log)
            raise RecordingError((log.strip() or "it gave no reason").splitlines()[-1])
        with open_gradebook(self._coursedir) as gradebook:
            self.totals |= class_totals(gradebook, self._assignment, student)
        self._recorded[student] = self._note(student, state)
        self._write_notes()

    def _write_notes(self) -> None:
        write_whole(self._notes, json.dumps({"schema": SCHEMA, "recorded": self._recorded}))


def _read_notes(path: Path) -> dict[str, str]:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return dict(data["recorded"]) if data["schema"] == SCHEMA else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
