"""A course: its folder, what its nbgrader configuration says, its lessons, and its secret key.

`read_config` reads the configuration once, and what works on a course takes `CourseConfig` whole.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import secrets
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from filelock import FileLock, Timeout

from autograder.classroom import messages
from autograder.lessons.course import Course, LessonError, course_with, open_lessons
from autograder.model.report import SCHEMA
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import own_folders
from autograder.processes.files import write_whole

CONFIG_FILE = "nbgrader_config.py"
FOLDER = Path(".autograder")
"""Folder in the course for what the kit keeps about it."""

KEY_FILE = FOLDER / "key.json"
_KEY_BITS = 128

NBGRADERS_FORMAT = "%Y-%m-%d %H:%M:%S.%f %Z"
"""In which nbgrader's exchange writes times, unless its configuration has another."""

UTC_NAMES = {"UTC", "GMT", "Z"}


class ClassError(ValueError):
    """A command on a course cannot be carried out; the message says what to do."""


@dataclass(frozen=True)
class Clock:
    """How a course writes times: its zone, by name, and the format of its exchange."""

    zone: str = "UTC"
    format: str = NBGRADERS_FORMAT

    @property
    def tzinfo(self) -> tzinfo:
        """The zone.

        Raises:
            ZoneInfoNotFoundError, ValueError, OSError: there is no such zone on this machine.
        """
        return UTC if self.zone in UTC_NAMES else ZoneInfo(self.zone)


@dataclass(frozen=True)
class CourseConfig:
    """What the nbgrader configuration of a course says.

    Attributes:
        course: the folder, as an absolute path.
        nbgrader: the configuration as nbgrader takes it.
        lesson_folders: the course's own, whose rubrics are run; those of the kit need none.
        defence_points: for the cell that asks about the student's own program.
        draws_by_student: whether each student is judged on secret inputs of their own.
        limits_only: whether to grade where no wall confines submissions.
        clock: how the exchange writes times.
    """

    course: Path
    nbgrader: Any = None
    lesson_folders: tuple[Path, ...] = ()
    defence_points: float = 0.0
    draws_by_student: bool = False
    limits_only: bool = False
    clock: Clock = Clock()

    def lessons(self) -> Course:
        """Open the lessons that submissions are graded with.

        The folders that a command names with `--lessons` come first, then those of the
        configuration, then the kit's.

        Raises:
            ClassError: one of the folders has no lessons.
        """
        for folder in self.lesson_folders:
            try:
                open_lessons(folder)
            except LessonError as error:
                words = {"file": self.course / CONFIG_FILE, "folder": folder, "error": error}
                raise ClassError(messages.BAD_FOLDER.format(**words)) from None
        return course_with(list(dict.fromkeys([*own_folders(), *self.lesson_folders])))


def read_config(course: Path, db: str | None = None) -> CourseConfig:
    """Read the configuration of a course.

    Args:
        course: its folder.
        db: URL of the gradebook; default: the course's own.

    Raises:
        ClassError: it is not a course folder, or a setting cannot be used.
    """
    file = course.resolve() / CONFIG_FILE
    if not file.is_file():
        raise ClassError(messages.NO_COURSE.format(course=course))
    from traitlets.config.loader import PyFileConfigLoader

    config: Any = PyFileConfigLoader(file.name, path=str(file.parent)).load_config()
    config.CourseDirectory.root = str(file.parent)
    if db:
        config.CourseDirectory.db_url = db
    put_helpers_on_path()
    own, exchange = config.get("GradeIsolated", {}), config.get("Exchange", {})
    folders = own.get("lessons", [])
    if not isinstance(folders, list) or not all(type(one) is str and one for one in folders):
        raise ClassError(messages.NOT_FOLDERS.format(file=file, found=folders))
    points = own.get("defence_points", 0.0)
    if type(points) not in (int, float) or not 0 <= points < math.inf:
        raise ClassError(messages.NOT_POINTS.format(file=file, found=points))
    switches = {name: own.get(name, False) for name in ("draws_by_student", "limits_only")}
    for name, found in switches.items():
        if type(found) is not bool:
            raise ClassError(messages.NOT_A_SWITCH.format(file=file, name=name, found=found))
    clock = Clock(
        exchange.get("timezone", "UTC"), exchange.get("timestamp_format", NBGRADERS_FORMAT)
    )
    try:
        datetime.now(clock.tzinfo).strftime(clock.format)
    except Exception:  # a setting may hold anything
        raise ClassError(messages.NOT_A_CLOCK.format(file=file, clock=clock)) from None
    lesson_folders = tuple((file.parent / one).resolve() for one in folders)
    return CourseConfig(file.parent, config, lesson_folders, float(points), **switches, clock=clock)


def put_helpers_on_path() -> None:
    """Let nbgrader find `alembic`, which it starts by name, without an activated environment."""
    own = str(Path(sys.executable).parent)
    if own not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([own, os.environ.get("PATH", "")])


def source_notebook(course: Path, name: str) -> Path:
    """Return the path of a lesson's source notebook in a course."""
    return course / "source" / name / f"{name}.ipynb"


def lock_course(course: Path) -> AbstractContextManager[Any]:
    """Take the course's lock, which is held until the context ends.

    Raises:
        ClassError: another grader is running.
    """
    path = course / FOLDER / "lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return FileLock(path).acquire(blocking=False)
    except Timeout:
        raise ClassError(messages.OTHER_GRADER.format(course=course)) from None


# --- the secret key -------------------------------------------------------------------------------


@dataclass(frozen=True)
class CourseKey:
    """The secret of a course, a positive number."""

    secret: int

    @classmethod
    def draw(cls) -> CourseKey:
        """Draw a new key."""
        return cls(secrets.randbelow(2**_KEY_BITS - 1) + 1)

    def for_lesson(self, lesson: str, student: str | None = None) -> int:
        """Return the key of a lesson's inputs: whoever finds out one knows no other.

        It is the HMAC of the lesson's name, cut to 128 bits. A student's own key is that of the
        student's id, with the lesson's key.
        """
        key = derive_key(self.secret, lesson)
        return key if student is None else derive_key(key, student)


def derive_key(key: int, name: str) -> int:
    """Return the HMAC-SHA256 (RFC 2104) of a name: a key that tells nothing of the other key."""
    # The name of a student's folder need not be valid text.
    message = name.encode(errors="surrogateescape")
    digest = hmac.digest(key.to_bytes(_KEY_BITS // 8), message, "sha256")
    return int.from_bytes(digest[: _KEY_BITS // 8])


def read_key(course: Path, file: Path = KEY_FILE, spoilt: str = messages.BAD_KEY) -> CourseKey:
    """Return a secret of the course, by default its key; the first call makes it.

    Args:
        course: its folder.
        file: in the folder, that holds the secret.
        spoilt: the message about a file that cannot be used.

    Raises:
        ClassError: the file cannot be used.
    """
    path = course / file
    if not path.exists():
        _write_new_key(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        key = data["key"]
        if type(key) is not int or not PUBLIC_KEY < key < 2**_KEY_BITS:
            raise ValueError(f"the key must be a positive whole number of at most {_KEY_BITS} bits")
        if data["schema"] != SCHEMA:
            raise ValueError(f"its schema is {data['schema']!r}; this version reads {SCHEMA}")
    except (ValueError, KeyError, TypeError) as error:
        raise ClassError(spoilt.format(path=path, error=error)) from None
    return CourseKey(key)


def _write_new_key(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"schema": SCHEMA, "key": CourseKey.draw().secret})
    write_whole(path, text, mode=0o600)


def key_digest(key: int) -> str:
    """Return the SHA-256 that stands for a key in the store and in messages."""
    return hashlib.sha256(f"key {key}".encode()).hexdigest()


def show_key(course: Path, *, rotate: bool = False) -> str:
    """Describe the secret key of a course, or make a new one.

    The returned text is for the instructor and does not contain the key itself.

    Raises:
        ClassError: no such course, a grader is running, or the key file cannot be used.
    """
    folder = read_config(course).course
    if rotate:
        with lock_course(folder):
            _write_new_key(folder / KEY_FILE)
        return messages.NEW_KEY.format(course=course)
    name = key_digest(read_key(folder).secret)[:8]
    return messages.KEY_STAYS.format(course=course, name=name, path=folder / KEY_FILE)
