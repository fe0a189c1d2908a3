"""`autograder key`: the secret key that a course's inputs are drawn with."""

from __future__ import annotations

import hashlib
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.assignment import course_folder
from autograder.classroom.course_grader import FOLDER, read_key, write_key
from autograder.classroom.grading_class import lock_course


def show_key(course: Path, *, rotate: bool = False) -> str:
    """Describe the secret key of a course, or make a new one.

    The returned text is for the instructor and does not contain the key itself.

    Raises:
        ClassError: no such course, or a grader is running.
        CourseKeyError: the key file cannot be read.
    """
    folder = course_folder(course)
    if rotate:
        with lock_course(folder):
            write_key(folder)
        return messages.NEW_KEY.format(course=course)
    name = hashlib.sha256(f"key {read_key(folder)}".encode()).hexdigest()[:8]
    path = folder / FOLDER / "key.json"
    return messages.KEY_STAYS.format(course=course, name=name, path=path)
