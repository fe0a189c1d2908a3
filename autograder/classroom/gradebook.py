"""The course's gradebook: opened with errors that say what to do, and read as totals."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.course_folder import CONFIG_FILE, ClassError
from autograder.classroom.marks import CellMark, Totals, is_left_out

_DISK_FULL = ("database or disk is full", os.strerror(errno.ENOSPC), os.strerror(errno.EDQUOT))
"""Words of SQLite and of the system in an error of nbgrader's."""


def put_helpers_on_path() -> None:
    """Let nbgrader find `alembic`, which it starts by name, without an activated environment."""
    own = str(Path(sys.executable).parent)
    if own not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([own, os.environ.get("PATH", "")])


def course_config(course: Path, db: str | None = None) -> Any:
    """Return the course's nbgrader configuration, with `db` as the gradebook's URL if given."""
    from traitlets.config.loader import PyFileConfigLoader

    config = PyFileConfigLoader(CONFIG_FILE, path=str(course)).load_config()
    config.CourseDirectory.root = str(course)
    if db:
        config.CourseDirectory.db_url = db
    put_helpers_on_path()
    return config


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
        with nbgrader_quiet(), Gradebook(*where) as gradebook:
            yield gradebook
    except (SQLAlchemyError, InvalidEntry, ModuleNotFoundError) as error:
        refuse_full_disk(str(error))
        raise ClassError(_explain(coursedir.db_url, error)) from None


def class_totals(gradebook: Any, assignment: str, student: str | None = None) -> dict[str, Totals]:
    """Return the totals of each student, or of one, whose submission the gradebook holds."""
    from nbgrader import api as nbgrader_api

    api: Any = nbgrader_api

    def select(*columns: Any) -> Any:
        submission = api.SubmittedAssignment
        query = gradebook.db.query(submission.student_id, *columns).select_from(submission)
        query = query.join(api.SubmittedNotebook).join(api.Assignment)
        query = query.filter(api.Assignment.name == assignment)
        return query if student is None else query.filter(submission.student_id == student)

    penalties: dict[str, float] = {}
    for owner, penalty in select(api.SubmittedNotebook.late_submission_penalty):
        penalties[owner] = penalties.get(owner, 0.0) + float(penalty or 0.0)
    cells: dict[str, list[CellMark]] = {owner: [] for owner in penalties}
    for owner, found, possible in select(api.Grade, api.Grade.max_score).join(api.Grade):
        if is_left_out(found.name, float(possible)):
            continue
        by_hand = found.manual_score is not None
        points = float(found.score) if by_hand or found.auto_score is not None else None
        needs_mark = bool(found.needs_manual_grade)
        cells[owner].append(CellMark(found.name, points, float(possible), by_hand, needs_mark))
    return {
        owner: Totals(tuple(sorted(some, key=lambda c: c.name)), penalties[owner])
        for owner, some in cells.items()
    }


def read_totals(course: Path, assignment: str, db: str | None = None) -> dict[str, Totals]:
    """Return the totals of each student in the course's gradebook; none before it exists.

    Raises:
        ClassError: the gradebook cannot be read; the message says why.
    """
    with read_gradebook(course, db) as gradebook:
        return {} if gradebook is None else class_totals(gradebook, assignment)


@contextlib.contextmanager
def read_gradebook(course: Path, db: str | None = None) -> Iterator[Any]:
    """Open the course's gradebook; yields None before it exists, since opening would create it.

    Raises:
        ClassError: the gradebook cannot be read; the message says why.
    """
    from nbgrader.coursedir import CourseDirectory
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    coursedir = CourseDirectory(config=course_config(course, db))
    try:
        url = make_url(coursedir.db_url)
    except ArgumentError as error:
        raise ClassError(_explain(coursedir.db_url, error)) from None
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        yield None
        return
    with open_gradebook(coursedir) as gradebook:
        yield gradebook


def refuse_full_disk(text: str) -> None:
    """Raise `OSError` where an error text of nbgrader's is about a full disk."""
    if any(words in text for words in _DISK_FULL):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None


@contextlib.contextmanager
def nbgrader_quiet() -> Iterator[None]:
    """Hide nbgrader's warnings, which no user can fix, and the tracebacks that it logs."""
    tracebacks = logging.getLogger("tornado.application")
    before, tracebacks.disabled = tracebacks.disabled, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        tracebacks.disabled = before


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
