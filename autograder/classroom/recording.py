"""Recording results with nbgrader's own converter, one submission after the other."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import logging
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.atomic import write_whole
from autograder.classroom.marks import changed_points
from autograder.messages import classroom as messages
from autograder.report import SCHEMA

_DISK_FULL = ("database or disk is full", os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT))
"""As SQLite and the system say it, somewhere in what nbgrader says."""


class GradebookError(RuntimeError):
    """The gradebook cannot be opened or written at all; the message says why."""


class RecordingError(RuntimeError):
    """nbgrader could not record a submission; the message is nbgrader's own last line."""


class Recorder:
    """Runs `nbgrader autograde` in this process; the grading itself comes from the result store.

    Remembers what it has recorded, so that a second run records only what changed. A submission's
    note is taken out before nbgrader begins and put in after it has committed: a crash in between
    means that it is recorded again, with the same outcome.
    """

    def __init__(self, course: Path, assignment: str, staging: Path, db: str | None = None) -> None:
        from nbgrader.apps import NbGraderAPI
        from nbgrader.coursedir import CourseDirectory
        from traitlets.config.loader import PyFileConfigLoader

        self._course, self._assignment = course, assignment
        self._notes = course / ".autograder" / f"recorded-{assignment}.json"
        self._recorded: dict[str, str] = _read(self._notes)
        config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
        config.CourseDirectory.root = str(course)
        config.CourseDirectory.submitted_directory = str(staging.relative_to(course))
        if db:
            config.CourseDirectory.db_url = db
        # nbgrader starts `alembic` by name, which an environment that is not activated would miss.
        own = str(Path(sys.executable).parent)
        if own not in os.environ.get("PATH", "").split(os.pathsep):
            os.environ["PATH"] = os.pathsep.join([own, os.environ.get("PATH", "")])
        self._coursedir = CourseDirectory(config=config)
        self._api = NbGraderAPI(coursedir=self._coursedir, config=config)
        self._in_gradebook: set[str] = set()

    def enrol(self, students: Sequence[str], points: Mapping[str, float]) -> None:
        """Enter the students in this order, and learn whose submissions the gradebook holds.

        nbgrader's export has them in the order of their entry, which must not depend on whose
        submission was graded first.

        Args:
            students: those to be recorded.
            points: by grade id, as the rubric has them.

        Raises:
            GradebookError: there is no such gradebook, no driver for it, or it was not told of the
                assignment as it is now.
            OSError: the disk is full.
        """
        from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
        from sqlalchemy.exc import SQLAlchemyError

        try:
            place = (self._coursedir.db_url, self._coursedir.course_id)
            with _nbgrader_quiet(), Gradebook(*place) as gradebook:
                self._check_points(gradebook, points)
                known = {student.id for student in gradebook.students}
                for student in students:
                    if student not in known:
                        gradebook.add_student(student)
                submissions: Any = gradebook.assignment_submissions(self._assignment)
                self._in_gradebook = {submission.student_id for submission in submissions}
        except MissingEntry:
            where = {"assignment": self._assignment, "course": self._course}
            raise GradebookError(messages.NOT_IN_GRADEBOOK.format(**where)) from None
        except (SQLAlchemyError, InvalidEntry, ModuleNotFoundError) as error:
            if any(words in str(error) for words in _DISK_FULL):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
            raise GradebookError(_said(self._coursedir.db_url, error)) from None

    def _check_points(self, gradebook: Any, points: Mapping[str, float]) -> None:
        notebook = gradebook.find_notebook(self._assignment, self._assignment)
        there = {cell.name: float(cell.max_score) for cell in notebook.grade_cells}
        changed = changed_points(there, points)
        if changed:
            where = {"assignment": self._assignment, "course": self._course}
            raise GradebookError(messages.OLD_GRADEBOOK.format(**where, **changed))

    def is_current(self, student: str, state: str) -> bool:
        """Whether this state of a submission is what the gradebook holds."""
        autograded = self._course / "autograded" / student / self._assignment
        noted = self._recorded.get(student) == self._note(state)
        return noted and student in self._in_gradebook and autograded.is_dir()

    def _note(self, state: str) -> str:
        """Another gradebook has not heard of what this one holds."""
        return hashlib.sha256(f"{self._coursedir.db_url} {state}".encode()).hexdigest()

    def record(self, student: str, state: str) -> None:
        """Record one submission, whose result is in the store.

        Raises:
            RecordingError: nbgrader failed.
            OSError: the disk is full.
        """
        if self._recorded.pop(student, None) is not None:
            _write(self._notes, self._recorded)
        with _nbgrader_quiet():
            result = self._api.autograde(self._assignment, student, force=True)
        if not result["success"]:
            told = "\n".join(str(result.get(part) or "") for part in ("log", "error"))
            if any(words in told for words in _DISK_FULL):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            said = told.strip().splitlines()
            raise RecordingError(said[-1] if said else "it did not say why")
        self._recorded[student] = self._note(state)
        _write(self._notes, self._recorded)


@contextlib.contextmanager
def _nbgrader_quiet() -> Iterator[None]:
    """Pass over its warnings, which nobody here can mend, and the tracebacks of what it raises."""
    tracebacks = logging.getLogger("tornado.application")
    before, tracebacks.disabled = tracebacks.disabled, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        tracebacks.disabled = before


def _said(url: str, error: Exception) -> str:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    try:
        url = make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        url = "--db"  # it may hold a password
    first = str(error).strip().splitlines()[0]
    if isinstance(error, ModuleNotFoundError):
        first += messages.NO_DRIVER
    return messages.NO_GRADEBOOK.format(url=url, error=first)


def _read(path: Path) -> dict[str, str]:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return dict(data["recorded"]) if data["schema"] == SCHEMA else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _write(path: Path, recorded: dict[str, str]) -> None:
    write_whole(path, json.dumps({"schema": SCHEMA, "recorded": recorded}))
