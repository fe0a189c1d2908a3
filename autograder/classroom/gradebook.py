"""nbgrader's gradebook of a course: opened with errors that say what to do, read, and written.

Results are recorded with nbgrader's own converter, one submission at a time. `autograder grade` has
read, repaired and graded a submission before, and hands the result over to nbgrader's
preprocessors, which run in the same process. Under `nbgrader autograde` nothing is graded yet.
"""

from __future__ import annotations

import contextlib
import copy
import errno
import hashlib
import json
import logging
import os
import warnings
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment, Task
from autograder.classroom.course_config import FOLDER, ClassError, CourseConfig
from autograder.classroom.handed_in import STAGING
from autograder.classroom.marks import CellMark, Totals
from autograder.classroom.roster import Roster
from autograder.model.graded import Graded
from autograder.model.report import SCHEMA
from autograder.processes.files import write_whole

_DISK_FULL = ("database or disk is full", os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT))
"""Words of SQLite and of the system in an error of nbgrader's."""


# --- opening and reading --------------------------------------------------------------------------


@contextlib.contextmanager
def open_gradebook(coursedir: Any) -> Iterator[Any]:
    """Open the gradebook of a course directory.

    Raises:
        ClassError: there is no such gradebook, or no driver for it.
        OSError: the disk is full.
    """
    from nbgrader.api import Gradebook, InvalidEntry
    from sqlalchemy.exc import SQLAlchemyError

    try:
        where = (coursedir.db_url, coursedir.course_id)
        with _nbgrader_quiet(), Gradebook(*where) as gradebook:
            yield gradebook
    except (SQLAlchemyError, InvalidEntry, ModuleNotFoundError) as error:
        _refuse_full_disk(str(error))
        raise ClassError(_explain(coursedir.db_url, error)) from None


@contextlib.contextmanager
def read_gradebook(config: CourseConfig) -> Iterator[Any]:
    """Open the course's gradebook; yields None before it exists, since opening would create it.

    Raises:
        ClassError: the gradebook cannot be read; the message says why.
    """
    from nbgrader.coursedir import CourseDirectory
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    coursedir = CourseDirectory(config=config.nbgrader)
    try:
        url = make_url(coursedir.db_url)
    except ArgumentError as error:
        raise ClassError(_explain(coursedir.db_url, error)) from None
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        yield None
        return
    with open_gradebook(coursedir) as gradebook:
        yield gradebook


def read_totals(config: CourseConfig, assignment: str) -> dict[str, Totals]:
    """Return the totals of each student in the course's gradebook; none before it exists.

    Raises:
        ClassError: the gradebook cannot be read; the message says why.
    """
    with read_gradebook(config) as gradebook:
        return class_totals(gradebook, assignment)


def class_totals(gradebook: Any, assignment: str, student: str | None = None) -> dict[str, Totals]:
    """Return the totals of each student, or of one, whose submission the gradebook holds."""
    from nbgrader import api as nbgrader_api

    api: Any = nbgrader_api
    if gradebook is None:
        return {}
    submission, notebook, grade = api.SubmittedAssignment, api.SubmittedNotebook, api.Grade
    wanted = [api.Assignment.name == assignment]
    wanted += [submission.student_id == student] * (student is not None)
    notebooks = gradebook.db.query(submission.student_id, notebook.late_submission_penalty)
    notebooks = notebooks.select_from(submission).join(notebook).join(api.Assignment)
    penalties: dict[str, float] = defaultdict(float)
    for owner, penalty in notebooks.filter(*wanted):
        penalties[owner] += float(penalty or 0.0)
    grades = gradebook.db.query(submission.student_id, grade, grade.max_score)
    grades = grades.select_from(submission).join(notebook).join(api.Assignment).join(grade)
    cells: dict[str, list[CellMark]] = defaultdict(list)
    for owner, found, possible in grades.filter(*wanted):
        by_hand = found.manual_score is not None
        if not possible and not by_hand:
            continue
        points = float(found.score) if by_hand or found.auto_score is not None else None
        needs_mark = bool(found.needs_manual_grade)
        cells[owner].append(CellMark(found.name, points, float(possible), by_hand, needs_mark))
    return {
        owner: Totals(tuple(sorted(cells[owner], key=lambda c: c.name)), penalty)
        for owner, penalty in penalties.items()
    }


def _refuse_full_disk(text: str) -> None:
    """Raise `OSError` where an error text of nbgrader's is about a full disk."""
    if any(words in text for words in _DISK_FULL):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None


@contextlib.contextmanager
def _nbgrader_quiet() -> Iterator[None]:
    """Hide nbgrader's warnings, which no user can fix, and the tracebacks that it logs."""
    tracebacks = logging.getLogger("tornado.application")
    with patch.object(tracebacks, "disabled", True), warnings.catch_warnings(action="ignore"):
        yield


def _explain(url: str, error: Exception) -> str:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    try:
        url = make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        url = "--db"  # the text may hold a password
    first = str(error).strip().splitlines()[0]
    if isinstance(error, ModuleNotFoundError):
        first += messages.NO_DRIVER
    return messages.NO_GRADEBOOK.format(url=url, error=first)


# --- recording ------------------------------------------------------------------------------------


class RecordingError(RuntimeError):
    """nbgrader could not record a submission; the message is nbgrader's own last line."""


@dataclass(frozen=True)
class Handover:
    """A submission of the kit's on its way through nbgrader's preprocessors.

    Attributes:
        assignment: that it is for.
        task: the submission.
        graded: its result; None under nbgrader's own command, until a preprocessor grades it.
    """

    assignment: Assignment
    task: Task
    graded: Graded | None = None


handovers: dict[tuple[str, str, str], Handover] = {}
"""By assignment, notebook and student, those that are in nbgrader's hands."""


class Recorder:
    """Runs `nbgrader autograde` in this process on submissions that are graded already.

    Remembers what it has recorded, so that a second run records only what changed. A submission's
    note is deleted before nbgrader begins and written after it has committed. After a crash in
    between, the submission is recorded again, with the same outcome.

    First it adds the assignment's students in their order: nbgrader exports students in the order
    in which they were added. That must not depend on whose submission was graded first.

    Args:
        assignment: whose submissions are recorded.
        roster: who has more time; None: what the gradebook says stays.

    Attributes:
        totals: by student, the marks that the gradebook holds.

    Raises:
        ClassError: the gradebook or its driver is missing, or it does not hold the assignment as it
            is now, or the roster does not fit its due date.
        OSError: the disk is full.
    """

    def __init__(self, assignment: Assignment, roster: Roster | None) -> None:
        from nbgrader.api import MissingEntry
        from nbgrader.apps import NbGraderAPI
        from nbgrader.coursedir import CourseDirectory

        config = assignment.grader.config
        self._of, self._assignment = assignment, assignment.name
        self._course = config.course
        self._notes = config.course / FOLDER / f"recorded-{assignment.name}.json"
        self._recorded: dict[str, str] = _read_notes(self._notes)
        own = copy.deepcopy(config.nbgrader)
        own.CourseDirectory.submitted_directory = str(STAGING)
        self._coursedir = CourseDirectory(config=own)
        self._api = NbGraderAPI(coursedir=self._coursedir, config=own)
        try:
            with open_gradebook(self._coursedir) as gradebook:
                notebook: Any = gradebook.find_notebook(self._assignment, self._assignment)
                old = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
                assignment.check_points(old, "the gradebook")
                self._read_extensions(gradebook, roster)
                known = {student.id for student in gradebook.students}
                for student in assignment.students:
                    if student not in known:
                        gradebook.add_student(student)
                self.totals = class_totals(gradebook, self._assignment)
        except MissingEntry:
            where = {"assignment": self._assignment, "course": self._course}
            raise ClassError(messages.NOT_IN_GRADEBOOK.format(**where)) from None

    def _read_extensions(self, gradebook: Any, roster: Roster | None) -> None:
        """Read the due date and who has more time, and what the roster gives instead."""
        self._duedate: datetime | None = gradebook.find_assignment(self._assignment).duedate
        submissions = gradebook.assignment_submissions(self._assignment)
        before = {s.student.id: s.extension for s in submissions if s.extension}
        given: dict[str, timedelta | None] = {}
        if roster is not None and roster.has_times:
            for student in filter(roster.people.__contains__, self._of.students):
                given[student] = roster.more_time(student, self._assignment, self._duedate)
        self._extensions = before | given
        self._to_grant = {s: more for s, more in given.items() if more != before.get(s)}

    def is_current(self, task: Task, graded: Graded) -> bool:
        """Return whether the gradebook holds this result of a submission."""
        student = task.staged.student
        autograded = self._course / "autograded" / student / self._assignment
        noted = self._recorded.get(student) == self._note(task, graded)
        return noted and student in self.totals and autograded.is_dir()

    def _note(self, task: Task, graded: Graded) -> str:
        """Return the digest of all that the gradebook's rows of a student depend on."""
        staged = task.staged
        state = [
            self._coursedir.db_url,
            # A result depends on the code only; people mark, and see in formgrader, every cell.
            hashlib.sha256(staged.raw).hexdigest(),
            (staged.timestamp, staged.carried, staged.review, task.notes),
            # A submission that limits alone confined may have changed what the gradebook holds.
            (task.digest, graded.confined_by, task.repaired.unreadable),
            [report.to_json() for report in graded.reports],
        ]
        if self._duedate is not None:  # the penalty for lateness depends on it
            state.append(self._duedate + (self._extensions.get(staged.student) or timedelta()))
        return hashlib.sha256(repr(state).encode()).hexdigest()

    def record(self, task: Task, graded: Graded) -> None:
        """Record one submission.

        Args:
            task: the submission.
            graded: its result.

        Raises:
            RecordingError: nbgrader failed.
            OSError: the disk is full.
        """
        student = task.staged.student
        if self._recorded.pop(student, None) is not None:
            self._write_notes()
        if student in self._to_grant:  # before nbgrader decides on a penalty
            with open_gradebook(self._coursedir) as gradebook:
                submission = gradebook.update_or_create_submission(self._assignment, student)
                submission.extension = self._to_grant.pop(student)
                gradebook.db.commit()
        key = self._assignment, self._assignment, student
        handovers[key] = Handover(self._of, task, graded)
        try:
            with _nbgrader_quiet():
                result = self._api.autograde(self._assignment, student, force=True)
        finally:
            handovers.pop(key, None)
        if not result["success"]:
            log = "\n".join(str(result.get(part) or "") for part in ("log", "error"))
            _refuse_full_disk(log)
            raise RecordingError((log.strip() or "it gave no reason").splitlines()[-1])
        with open_gradebook(self._coursedir) as gradebook:
            self.totals |= class_totals(gradebook, self._assignment, student)
        self._recorded[student] = self._note(task, graded)
        self._write_notes()

    def _write_notes(self) -> None:
        write_whole(self._notes, json.dumps({"schema": SCHEMA, "recorded": self._recorded}))


def _read_notes(path: Path) -> dict[str, str]:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return dict(data["recorded"]) if data["schema"] == SCHEMA else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
