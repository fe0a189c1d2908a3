"""Remembers the answer and the automatic mark for which a mark was given by hand.

nbgrader asks a person to confirm such a mark whenever a submission is graded again. The kit asks
only where one of the two has changed. Neither the gradebook nor formgrader stores them, so each
recording writes them to a file for each submission. A mark that was given after a recording was
given for what that recording wrote.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from autograder.classroom.staging import BY_HAND
from autograder.core.files import write_whole
from autograder.core.report import SCHEMA


class MarkMemory:
    """One submission's grade cells, by the gradebook's unique id of each grade."""

    def __init__(self, course: Path, assignment: str, student: str) -> None:
        self._path = course / BY_HAND / assignment / f"{student}.json"
        self._grades = _read_grades(self._path)

    def needs_manual_grade(self, grade: Any, answer: str, points: float | None) -> bool:
        """Remember a grade that is about to be recorded; return whether a person must decide.

        `grade` is nbgrader's before the recording, and `points` is the new automatic mark.
        """
        automatic = None if points is None else float(points)
        now = hashlib.sha256(repr((answer, automatic)).encode()).hexdigest()
        before = self._grades.get(grade.id, {})
        # Until a person confirms the mark, it stays a mark for the earlier answer.
        is_settled = grade.manual_score is not None and not grade.needs_manual_grade
        given_for = before.get("recorded" if is_settled else "given_for", "")
        self._grades[grade.id] = {"recorded": now, "given_for": given_for}
        return points is None if grade.manual_score is None else now != given_for

    def save(self) -> None:
        """Write the file, after the gradebook's commit: a crash in between asks a person.

        Raises:
            OSError: the disk is full, or the folder cannot be written.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, json.dumps({"schema": SCHEMA, "grades": self._grades}))


def _read_grades(path: Path) -> dict[str, dict[str, str]]:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            return {}
        return {str(name): dict(entry) for name, entry in data["grades"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
