"""Lateness: when a submission was handed in, as nbgrader is to see it.

nbgrader's own reading guesses, fails on what is not a time, and keeps what it read before where
there is nothing to read now. Its policy for lateness looks into the gradebook. So the strict
reading replaces its own, and is written into the gradebook before that policy is asked.
"""

from __future__ import annotations

import os
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from autograder.classroom.gradebook import open_gradebook
from autograder.classroom.timestamps import TIMESTAMP, Timestamp, course_clock, find_timestamp


def read_strictly(coursedir: Any) -> None:
    """Let nbgrader's converters read timestamps as the kit does."""
    coursedir.get_existing_timestamp = partial(_existing_timestamp, coursedir)


def _existing_timestamp(coursedir: Any, folder: str) -> datetime | None:
    return find_timestamp(Path(folder), course_clock(Path(coursedir.root))).when


def timestamp_of(coursedir: Any, names: dict[str, str]) -> Timestamp:
    """Read the timestamp of the submission that nbgrader names."""
    folder = coursedir.submitted_directory
    where = coursedir.format_path(folder, names["student"], names["assignment"])
    return find_timestamp(Path(where), course_clock(Path(coursedir.root)))


def save_timestamp(coursedir: Any, names: dict[str, str]) -> None:
    """Write into the gradebook when a submission was handed in, or that nobody knows.

    The copy beside the graded notebook says the same, in words that all nbgrader commands read.
    """
    found = timestamp_of(coursedir, names)
    with open_gradebook(coursedir) as gradebook:
        submission = gradebook.find_submission(names["assignment"], names["student"])
        submission.timestamp = found.when
        gradebook.db.commit()
    folder = coursedir.autograded_directory
    where = coursedir.format_path(folder, names["student"], names["assignment"])
    copy = Path(where) / TIMESTAMP
    if os.path.isfile(copy) and copy.read_bytes() != found.plain:
        copy.unlink()
        if found.plain is not None:
            copy.write_bytes(found.plain)
