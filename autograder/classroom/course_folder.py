"""A course's folder: made with the kit's lessons or one's own, and updated."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.course_config import (
    CONFIG_FILE,
    FOLDER,
    ClassError,
    CourseConfig,
    read_config,
    source_notebook,
)
from autograder.lessons.authoring import build_source, notebook_text
from autograder.lessons.course import Course, Lesson, kits_course, open_lessons
from autograder.lessons.exercises import is_current
from autograder.model.public_rubric import public_file
from autograder.model.report import SCHEMA
from autograder.model.rubric import KITS_FOLDER
from autograder.processes.files import write_whole
from autograder.render.progress import track

REPLACED = FOLDER / "replaced"
KNOWN = FOLDER / "lessons.json"
"""File in the course that says which lessons it was offered: a refresh adds the others."""

CONFIG = Path(__file__).with_name("nbgrader_config.py.txt")
"""The configuration of a new course, as a template."""

_NO_FOLDERS = '# c.GradeIsolated.lessons = ["../mylessons"]'


def find_rubric_files(folder: Path) -> list[Path]:
    """Return the Python files in an assignment's folder that define a rubric."""
    files = sorted(folder.rglob("*.py"))
    return [file for file in files if b"Rubric(" in file.read_bytes()]


def make_course(directory: Path, lessons: Course) -> list[str]:
    """Make a course folder: the configuration, and one source assignment for each lesson.

    Returns:
        The names of the assignments.

    Raises:
        ClassError: `directory` is not empty, or there are no lessons; nothing was written.
    """
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise ClassError(messages.COURSE_EXISTS.format(path=directory))
    files = {
        source_notebook(directory, one.name).parent / name: text
        for one in track([*lessons.lessons()], messages.MAKING_COURSE)
        for name, text in _assignment(one).items()
    }
    if not files:
        raise ClassError(messages.LESSONS_MISSING.format(folder=lessons.root / "solutions"))
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text)
    own = lessons.own_roots()
    folders = [_describe_folder(directory, folder) for folder in own]
    setting = f"c.GradeIsolated.lessons = {folders!r}" if folders else _NO_FOLDERS
    write_whole(directory / CONFIG_FILE, config_text(directory.resolve().name, setting))
    names = [file.stem for file in files if file.suffix == ".ipynb"]
    _write_known(directory, names, kits=not own)
    return names


def config_text(course_id: str, lessons: str = _NO_FOLDERS) -> str:
    """Return the configuration of a course; `lessons` is the line that names lesson folders."""
    return CONFIG.read_text(encoding="utf-8").format(course_id=course_id, lessons=lessons)


def refresh_course(directory: Path, lessons: Course) -> tuple[list[str], list[str]]:
    """Update the lessons of a course that have changed, and add those that are new.

    Lessons that were removed from the course stay removed. Old files are kept with a date in
    ``.autograder/replaced``: nbgrader would release what is in ``source`` to students.

    Args:
        directory: the course.
        lessons: as a command found them. A lesson folder joins those of the course's config.

    Returns:
        The names of the assignments that were replaced, and of those that were added.

    Raises:
        ClassError: `directory` is not a course folder, or its config names other lesson folders.
    """
    from autograder.lessons.publishing import public_text  # it imports JAX

    config = read_config(directory)
    for root in lessons.own_roots():
        config = _add_folder(config, root)
    own = [open_lessons(folder) for folder in config.lesson_folders]
    kits = lessons if lessons.rubrics == KITS_FOLDER else kits_course()
    offered: dict[str, Lesson] = {}
    for course in reversed([*own, kits]):
        offered |= {one.name: one for one in course.lessons()}
    known, joins = _read_known(directory)
    fitting = {name for name, one in offered.items() if one.is_own or joins}
    replaced, added = [], []
    for name, lesson in track([*offered.items()], messages.REFRESHING_COURSE):
        target = source_notebook(directory, name)
        is_new = not target.is_file()
        if is_new and name not in fitting - known:
            continue
        changed = [
            _replace(directory, name, target.parent / file, text)
            for file, text in _assignment(lesson, config.defence_points).items()
        ]
        if any(changed):
            (added if is_new else replaced).append(name)
    for course in own:
        for name in sorted(set(course.own_names()) - set(offered)):
            folder = source_notebook(directory, name).parent  # of a notebook that was made by hand
            text = public_text(course.rubric(name)) if folder.is_dir() else ""
            if text and _replace(directory, name, public_file(folder, name), text):
                replaced.append(name)
    _write_known(directory, known | fitting, joins)
    return replaced, added


def _assignment(lesson: Lesson, defence: float = 0.0) -> dict[str, str]:
    """Return the files of a lesson's assignment, all of which nbgrader releases but solutions."""
    files = {f"{lesson.name}.ipynb": notebook_text(build_source(lesson, defence))}
    if lesson.is_own:
        from autograder.lessons.publishing import public_text  # it imports JAX

        files[public_file(Path(), lesson.name).name] = public_text(lesson.rubric)
    return files


def _replace(course: Path, lesson: str, file: Path, text: str) -> bool:
    """Write a file of an assignment where it has changed, keep the old one, and return whether."""
    if is_current(file, text):
        return False
    if file.is_file():
        kept = course / REPLACED
        kept.mkdir(parents=True, exist_ok=True)
        now = f"{lesson}-{datetime.now():%Y%m%d-%H%M%S}"
        shutil.copy2(file, kept / file.name.replace(lesson, now, 1))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, text)
    return True


def _describe_folder(course: Path, folder: Path) -> str:
    """Return how the config names a folder: from the course, where it stands beside or in it."""
    near = folder.is_relative_to(course.resolve().parent)
    return os.path.relpath(folder, course.resolve()) if near else str(folder)


def _add_folder(config: CourseConfig, folder: Path) -> CourseConfig:
    """Name a lesson folder in a course's configuration, and read that again.

    Raises:
        ClassError: the configuration names others already.
    """
    file, name = config.course / CONFIG_FILE, _describe_folder(config.course, folder)
    if folder in config.lesson_folders:
        return config
    if config.lesson_folders:
        raise ClassError(messages.ADD_FOLDER.format(file=file, folder=name))
    text = file.read_text(encoding="utf-8")
    end = "" if text.endswith("\n") else "\n"
    write_whole(file, f"{text}{end}c.GradeIsolated.lessons = {[name]!r}\n")
    return read_config(config.course)


def _read_known(course: Path) -> tuple[set[str], bool]:
    """Return the lessons that a course was offered, and whether new ones of the kit's join them."""
    try:
        data = json.loads((course / KNOWN).read_text(encoding="utf-8"))
        return set(map(str, data["lessons"])), bool(data["kits"])
    except (OSError, ValueError, KeyError, TypeError):  # somebody has removed or changed it
        return set(), False


def _write_known(course: Path, names: Iterable[str], kits: bool) -> None:
    (course / FOLDER).mkdir(parents=True, exist_ok=True)
    data = {"schema": SCHEMA, "lessons": sorted(names), "kits": kits}
    write_whole(course / KNOWN, json.dumps(data, indent=1) + "\n")
