"""Pseudonyms of students: the same all term, and telling neither name nor order."""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Collection
from pathlib import Path

from autograder.classroom.course_folder import FOLDER, ClassError
from autograder.classroom.term import messages
from autograder.model.report import SCHEMA
from autograder.processes.files import write_whole

SECRET_FILE = FOLDER / "pseudonyms.json"
"""Not the course's key: that may be changed during the term."""

_LETTERS = "23456789BCDFGHJKMNPQRSTVWXYZ"
"""Without vowels, so that no words come out, and without what looks alike."""

_SHORT, _LONG = 6, 12


def read_secret(course: Path) -> bytes:
    """Return the secret that the pseudonyms of a course are made with; the first call makes it.

    Raises:
        ClassError: the file cannot be used.
    """
    path = course / SECRET_FILE
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"schema": SCHEMA, "secret": secrets.token_hex(32)})
        write_whole(path, text, mode=0o600)
    try:
        secret = bytes.fromhex(json.loads(path.read_text(encoding="utf-8"))["secret"])
        if len(secret) < 16:
            raise ValueError("it is too short")
    except (ValueError, KeyError, TypeError) as error:
        raise ClassError(messages.BAD_PSEUDONYMS.format(path=path, error=error)) from None
    return secret


def make_pseudonyms(secret: bytes, students: Collection[str]) -> dict[str, str]:
    """Return a pseudonym for each student: HMAC-SHA256 (RFC 2104) of the id, in a few letters."""
    long = {student: _pseudonym(secret, student) for student in students}
    short = {student: name[:_SHORT] for student, name in long.items()}
    taken = list(short.values())
    return {s: name if taken.count(name) == 1 else long[s] for s, name in short.items()}


def _pseudonym(secret: bytes, student: str) -> str:
    digest = hmac.digest(secret, student.encode(errors="surrogateescape"), "sha256")
    number, letters = int.from_bytes(digest), []
    for _ in range(_LONG):
        number, letter = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[letter])
    return "".join(letters)
