"""Records results with nbgrader's own converter, one submission at a time."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.gradebook import (
    GradebookError,
    class_totals,
    course_config,
    is_disk_full,
    nbgrader_quiet,
    open_gradebook,
)
from autograder.classroom.handover import Handover, hand_over
from autograder.classroom.marks import changed_points
from autograder.classroom.totals import Totals
from autograder.core.files import write_whole
from autograder.core.report import SCHEMA


class RecordingError(RuntimeError):
    """nbgrader could not record a submission; the message is nbgrader's own last line."""


class Recorder:
    """Runs `nbgrader autograde` in this process on submissions that are graded already.

    Remembers what it has recorded, so that a second run records only what changed. A submission's
    note is taken out before nbgrader begins and put in after it has committed: a crash in between
    means that it is recorded again, with the same outcome.
    """

    def __init__(self, course: Path, assignment: str, staging: Path, db: str | None = None) -> None:
        from nbgrader.apps import NbGraderAPI
        from nbgrader.coursedir import CourseDirectory

        self._course, self._assignment = course, assignment
        self._notes = course / ".autograder" / f"recorded-{assignment}.json"
        self._recorded: dict[str, str] = _read(self._notes)
        config = course_config(course, db)
        config.CourseDirectory.submitted_directory = str(staging.relative_to(course))
        self._coursedir = CourseDirectory(config=config)
        self._api = NbGraderAPI(coursedir=self._coursedir, config=config)
        self._totals: dict[str, Totals] = {}

    def enrol(self, students: Sequence[str], points: Mapping[str, float]) -> None:
        """Add the students in this order, and read the marks that the gradebook holds.

        nbgrader exports students in the order in which they were added. That must not depend on
        whose submission was graded first.

        Args:
            students: those to be recorded.
            points: the rubric's points, by grade id.

        Raises:
            GradebookError: the gradebook or its driver is missing, or it does not hold the
                assignment as it is now.
            OSError: the disk is full.
        """
        from nbgrader.api import MissingEntry

        try:
            with open_gradebook(self._coursedir) as gradebook:
                self._check_points(gradebook, points)
                known = {student.id for student in gradebook.students}
                for student in students:
                    if student not in known:
                        gradebook.add_student(student)
                self._totals = class_totals(gradebook, self._assignment)
        except MissingEntry:
            where = {"assignment": self._assignment, "course": self._course}
            raise GradebookError(messages.NOT_IN_GRADEBOOK.format(**where)) from None

    def _check_points(self, gradebook: Any, points: Mapping[str, float]) -> None:
        notebook = gradebook.find_notebook(self._assignment, self._assignment)
        there = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
        changed = changed_points(there, points)
        if changed:
            where = {"assignment": self._assignment, "course": self._course}
            raise GradebookError(messages.OLD_GRADEBOOK.format(**where, **changed))

    def is_current(self, student: str, state: str) -> bool:
        """Return whether the gradebook holds this state of a submission."""
        autograded = self._course / "autograded" / student / self._assignment
        noted = self._recorded.get(student) == self._note(state)
        return noted and student in self._totals and autograded.is_dir()

    def totals(self, student: str) -> Totals | None:
        """Return the marks that the gradebook holds for a submission; None where it holds none."""
        return self._totals.get(student)

    def _note(self, state: str) -> str:
        """Return the digest of a state in this gradebook; another gradebook does not hold it."""
        return hashlib.sha256(f"{self._coursedir.db_url} {state}".encode()).hexdigest()

    def record(self, student: str, state: str, handover: Handover) -> None:
        """Record one submission.

        Args:
            student: whose it is.
            state: what the gradebook will hold, to tell whether it must be recorded again.
            handover: the graded submission.

        Raises:
            RecordingError: nbgrader failed.
            OSError: the disk is full.
        """
        if self._recorded.pop(student, None) is not None:
            _write(self._notes, self._recorded)
        with nbgrader_quiet(), hand_over(self._assignment, student, handover):
            result = self._api.autograde(self._assignment, student, force=True)
        if not result["success"]:
            log = "\n".join(str(result.get(part) or "") for part in ("log", "error"))
            if is_disk_full(log):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            lines = log.strip().splitlines()
            raise RecordingError(lines[-1] if lines else "it gave no reason")
        with open_gradebook(self._coursedir) as gradebook:
            self._totals |= class_totals(gradebook, self._assignment, student)
        self._recorded[student] = self._note(state)
        _write(self._notes, self._recorded)


def _read(path: Path) -> dict[str, str]:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return dict(data["recorded"]) if data["schema"] == SCHEMA else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _write(path: Path, recorded: dict[str, str]) -> None:
    write_whole(path, json.dumps({"schema": SCHEMA, "recorded": recorded}))
