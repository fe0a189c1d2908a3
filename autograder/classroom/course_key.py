"""The secret key of a course, and the keys that its lessons' inputs are drawn with."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.course_folder import FOLDER, ClassError, check_course, lock_course
from autograder.model.rubric import PUBLIC_KEY
from autograder.processes.files import write_whole

KEY_FILE = FOLDER / "key.json"

_BITS = 128
_ONE_FOR_ALL, _SCHEMA = 1, 2
"""Schema 1, of the first edition, has 31 bits, and every lesson draws with the key itself."""


@dataclass(frozen=True)
class CourseKey:
    """The secret of a course.

    Attributes:
        secret: a positive number.
        schema: of the file that it was read from.
    """

    secret: int
    schema: int = _SCHEMA

    def for_lesson(self, lesson: str, student: str | None = None) -> int:
        """Return the key of a lesson's inputs: whoever finds out one knows no other.

        It is HMAC-SHA256 (RFC 2104) of the lesson's name, cut to 128 bits. A student's own key is
        that of the student's id, with the lesson's key.
        """
        key = self.secret if self.schema == _ONE_FOR_ALL else _derive(self.secret, lesson)
        if student is None:
            return key
        if self.schema == _ONE_FOR_ALL:
            key = _derive(key, lesson)
        return _derive(key, student)


def _derive(key: int, name: str) -> int:
    # The name of a student's folder need not be valid text.
    message = name.encode(errors="surrogateescape")
    digest = hmac.digest(key.to_bytes(_BITS // 8), message, "sha256")
    return int.from_bytes(digest[: _BITS // 8])


def read_key(course: Path) -> CourseKey:
    """Return the course's secret key; the first call makes it.

    Raises:
        ClassError: the key file cannot be used.
    """
    path = course / KEY_FILE
    if not path.exists():
        _write_new_key(course)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        key, schema = data["key"], data["schema"]
        if type(key) is not int or not PUBLIC_KEY < key < 2**_BITS:
            raise ValueError(f"the key must be a positive whole number of at most {_BITS} bits")
        if schema not in (_ONE_FOR_ALL, _SCHEMA):
            raise ValueError(f"its schema is {schema!r}; this version reads {_SCHEMA}")
    except (ValueError, KeyError, TypeError) as error:
        raise ClassError(messages.BAD_KEY.format(path=path, error=error)) from None
    return CourseKey(key, schema)


def _write_new_key(course: Path) -> None:
    path = course / KEY_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    key = secrets.randbelow(2**_BITS - 1) + 1
    write_whole(path, json.dumps({"schema": _SCHEMA, "key": key}), mode=0o600)


def key_digest(key: int) -> str:
    """Return the SHA-256 that stands for a key in the store and in messages."""
    return hashlib.sha256(f"key {key}".encode()).hexdigest()


def show_key(course: Path, *, rotate: bool = False) -> str:
    """Describe the secret key of a course, or make a new one.

    The returned text is for the instructor and does not contain the key itself.

    Raises:
        ClassError: no such course, a grader is running, or the key file cannot be used.
    """
    folder = check_course(course)
    if rotate:
        with lock_course(folder):
            _write_new_key(folder)
        return messages.NEW_KEY.format(course=course)
    key = read_key(folder)
    name = key_digest(key.secret)[:8]
    text = messages.KEY_STAYS.format(course=course, name=name, path=folder / KEY_FILE)
    return f"{text} {messages.OLD_KEY}" if key.schema == _ONE_FOR_ALL else text
