"""Recording results with nbgrader's own converter, one submission after the other."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder.atomic import write_whole
from autograder.report import SCHEMA


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

    def enrol(self, students: Sequence[str]) -> None:
        """Enter the students in this order, and learn whose submissions the gradebook holds.

        nbgrader's export has them in the order of their entry, which must not depend on whose
        submission was graded first.
        """
        from nbgrader.api import Gradebook, MissingEntry

        with _nbgraders_warnings(), Gradebook(self._coursedir.db_url) as gradebook:
            known = {student.id for student in gradebook.students}
            for student in students:
                if student not in known:
                    gradebook.add_student(student)
            with contextlib.suppress(MissingEntry):
                submissions: Any = gradebook.assignment_submissions(self._assignment)
                self._in_gradebook = {submission.student_id for submission in submissions}

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
        """
        if self._recorded.pop(student, None) is not None:
            _write(self._notes, self._recorded)
        with _nbgraders_warnings():
            result = self._api.autograde(self._assignment, student, force=True)
        if not result["success"]:
            said = str(result.get("error") or result.get("log") or "").strip().splitlines()
            raise RecordingError(said[-1] if said else "it did not say why")
        self._recorded[student] = self._note(state)
        _write(self._notes, self._recorded)


@contextlib.contextmanager
def _nbgraders_warnings() -> Iterator[None]:
    """Pass them over: nobody here can mend what they are about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _read(path: Path) -> dict[str, str]:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return dict(data["recorded"]) if data["schema"] == SCHEMA else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _write(path: Path, recorded: dict[str, str]) -> None:
    write_whole(path, json.dumps({"schema": SCHEMA, "recorded": recorded}))
