"""Which lessons a course has: its own lesson folders, and the kit's."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from autograder.classroom import messages
from autograder.classroom.course_folder import CONFIG_FILE, FOLDER, ClassError
from autograder.classroom.gradebook import course_config
from autograder.lessons.course import Course, LessonError, course_with, open_lessons
from autograder.model.report import SCHEMA
from autograder.model.rubric_files import own_folders
from autograder.processes.files import write_whole

KNOWN = FOLDER / "lessons.json"
"""File in the course that says which lessons it was made with: what is new is told from it."""


def lesson_folders(course: Path) -> list[Path]:
    """Return the lesson folders that a course's config names.

    Raises:
        ClassError: the setting is no list of folders.
    """
    file = course / CONFIG_FILE
    if not file.is_file():
        return []
    settings = course_config(course).GradeIsolated
    found: Any = settings.lessons if "lessons" in settings else []
    if not isinstance(found, list) or not all(type(one) is str and one for one in found):
        raise ClassError(messages.NOT_FOLDERS.format(file=file, found=found))
    return [(course / one).resolve() for one in found]


def course_lessons(course: Path) -> Course:
    """Return the lessons that the submissions of a course are graded with.

    The folders that a command names with `--lessons` come first, then those of the course's config,
    then the kit's.

    Raises:
        ClassError: one of the folders has no lessons.
    """
    folders = lesson_folders(course)
    for folder in folders:
        try:
            open_lessons(folder)
        except LessonError as error:
            words = {"file": course / CONFIG_FILE, "folder": folder, "error": error}
            raise ClassError(messages.BAD_FOLDER.format(**words)) from None
    return course_with(list(dict.fromkeys([*own_folders(), *folders])))


def describe_folder(course: Path, folder: Path) -> str:
    """Return how the config names a folder: from the course, where it stands beside or in it."""
    near = folder.is_relative_to(course.resolve().parent)
    return os.path.relpath(folder, course.resolve()) if near else str(folder)


def add_folder(course: Path, folder: Path) -> None:
    """Name a lesson folder in a course's config.

    Raises:
        ClassError: the config names others already.
    """
    folders, file = lesson_folders(course), course / CONFIG_FILE
    name = describe_folder(course, folder)
    if folder in folders:
        return
    if folders:
        raise ClassError(messages.ADD_FOLDER.format(file=file, folder=name))
    text = file.read_text(encoding="utf-8")
    end = "" if text.endswith("\n") else "\n"
    write_whole(file, f"{text}{end}c.GradeIsolated.lessons = {[name]!r}\n")


def read_known(course: Path) -> tuple[set[str], bool] | None:
    """Return the lessons that a course was offered, and whether new ones of the kit's join them.

    None for a course that an earlier edition made.
    """
    try:
        data = json.loads((course / KNOWN).read_text(encoding="utf-8"))
        return set(map(str, data["lessons"])), bool(data["kits"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_known(course: Path, names: set[str], kits: bool) -> None:
    """Write what `read_known` reads."""
    (course / FOLDER).mkdir(parents=True, exist_ok=True)
    data = {"schema": SCHEMA, "lessons": sorted(names), "kits": kits}
    write_whole(course / KNOWN, json.dumps(data, indent=1) + "\n")
