"""The secret key that a course's inputs are drawn with."""

from __future__ import annotations

import hashlib
import json
import secrets
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.course_folder import FOLDER, ClassError, check_course, lock_course
from autograder.core.files import write_whole
from autograder.core.report import SCHEMA
from autograder.core.rubric import PUBLIC_KEY

KEY_FILE = FOLDER / "key.json"


def read_key(course: Path) -> int:
    """Return the course's secret key; the first call makes it.

    Raises:
        ClassError: the key file cannot be used.
    """
    path = course / KEY_FILE
    if not path.exists():
        _write_new_key(course)
    try:
        key = json.loads(path.read_text(encoding="utf-8"))["key"]
        if type(key) is not int or key <= PUBLIC_KEY:
            raise ValueError("the key must be a positive whole number")
    except (ValueError, KeyError, TypeError) as error:
        raise ClassError(messages.BAD_KEY.format(path=path, error=error)) from None
    return key


def _write_new_key(course: Path) -> None:
    path = course / KEY_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    key = secrets.randbelow(2**31 - 1) + 1
    write_whole(path, json.dumps({"schema": SCHEMA, "key": key}), mode=0o600)


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
    name = key_digest(read_key(folder))[:8]
    return messages.KEY_STAYS.format(course=course, name=name, path=folder / KEY_FILE)
