"""A course's folder: made with the kit's lessons, updated, checked and locked."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from autograder.classroom import messages
from autograder.lessons.authoring import build_source, notebook_text
from autograder.lessons.course import Course, Lesson, kits_course, open_lessons
from autograder.lessons.exercises import is_current
from autograder.model.public_rubric import public_file
from autograder.model.rubric import KITS_FOLDER
from autograder.processes.files import write_whole

FOLDER = Path(".autograder")
"""Folder in the course for what the kit keeps about it."""

REPLACED = FOLDER / "replaced"
CONFIG_FILE = "nbgrader_config.py"
CONFIG = '''"""nbgrader configuration of this course, written by `autograder course`."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = {course_id!r}

# Releases the lessons' broken starter code instead of empty stubs.
c.GenerateAssignment.preprocessors = [
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.InstantiateTests",
    "nbgrader.preprocessors.LockCells",
    "autograder.nbgrader_bridge.PutStarters",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Grading: submissions of any shape are read. Solution cells run in confined workers. Check cells
# are never run; the judge fills them in. What waits for a GPU gets no mark yet.
c.Autograde.exporter_class = "autograder.nbgrader_bridge.TolerantExporter"
c.Autograde.autograde_preprocessors = [
    "autograder.nbgrader_bridge.GradeIsolated",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "autograder.nbgrader_bridge.SaveMarks",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]

# Points for the last cell of each lesson, which asks about the student's own program. It has 0 by
# default. After a change: `autograder course . --refresh`, then `nbgrader generate_assignment
# LESSON --force` for each lesson.
# c.GradeIsolated.defence_points = 1

# Your own lesson folders, from this folder. Their rubrics are run. The kit's lessons need none.
{lessons}
# The zone in which nbgrader's exchange writes times of handing in. A time that names its zone in
# short, such as CET, or names none is read in it.
# c.Exchange.timezone = "Europe/Berlin"

# Judges each student on secret inputs of their own. A change grades all submissions again.
# c.GradeIsolated.draws_by_student = True

# Grades also where no wall confines submissions, as `autograder grade --limits-only` does: each can
# then read and change all that you can, such as the key and the gradebook. See `autograder doctor`.
# c.GradeIsolated.limits_only = True
'''
_NO_FOLDERS = '# c.GradeIsolated.lessons = ["../mylessons"]'


class ClassError(ValueError):
    """A command on a course cannot be carried out; the message says what to do."""


def check_course(course: Path) -> Path:
    """Return the absolute path of a course folder.

    Raises:
        ClassError: it is not a course folder.
    """
    if not (course / CONFIG_FILE).is_file():
        raise ClassError(messages.NO_COURSE.format(course=course))
    return course.resolve()


@contextmanager
def lock_course(course: Path) -> Iterator[None]:
    """Hold the course's lock.

    Raises:
        ClassError: another grader is running.
    """
    path = course / FOLDER / "lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        held = FileLock(path).acquire(blocking=False)
    except Timeout:
        raise ClassError(messages.OTHER_GRADER.format(course=course)) from None
    with held:
        yield


def source_notebook(course: Path, name: str) -> Path:
    """Return the path of a lesson's source notebook in a course."""
    return course / "source" / name / f"{name}.ipynb"


def source_names(course: Path) -> list[str]:
    """Return the names of the assignments in a course, sorted."""
    return sorted(folder.name for folder in (course / "source").glob("*") if folder.is_dir())


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
    from autograder.classroom.course_lessons import describe_folder, write_known

    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise ClassError(messages.COURSE_EXISTS.format(path=directory))
    texts = {one.name: _assignment(one) for one in lessons.lessons()}
    if not texts:
        raise ClassError(messages.LESSONS_MISSING.format(folder=lessons.root / "solutions"))
    for name, files in texts.items():
        folder = source_notebook(directory, name).parent
        folder.mkdir(parents=True)
        for file, text in files.items():
            write_whole(folder / file, text)
    own = lessons.own_roots()
    folders = [describe_folder(directory, folder) for folder in own]
    setting = f"c.GradeIsolated.lessons = {folders!r}" if folders else _NO_FOLDERS
    config = CONFIG.format(course_id=directory.resolve().name, lessons=setting)
    write_whole(directory / CONFIG_FILE, config)
    write_known(directory, set(texts), kits=not own)
    return list(texts)


def _assignment(lesson: Lesson, defence: float = 0.0) -> dict[str, str]:
    """Return the files of a lesson's assignment, all of which nbgrader releases but solutions."""
    files = {f"{lesson.name}.ipynb": notebook_text(build_source(lesson, defence))}
    if lesson.is_own:
        from autograder.lessons.publishing import public_text  # it imports JAX

        files[public_file(Path(), lesson.name).name] = public_text(lesson.rubric)
    return files


def defence_points(course: Path) -> float | None:
    """Return the points that the course's config gives for defence cells; None where it does not.

    Raises:
        ClassError: they are no points.
    """
    from autograder.classroom.gradebook import course_config  # imports this module

    settings = course_config(course).GradeIsolated
    if "defence_points" not in settings:
        return None
    points = settings.defence_points
    if type(points) not in (int, float) or not 0 <= points < math.inf:
        raise ClassError(messages.NOT_POINTS.format(file=course / CONFIG_FILE, found=points))
    return float(points)


def has_switch(course: Path, name: str) -> bool:
    """Return a setting of the course's config, False by default.

    Args:
        course: its folder.
        name: of the setting: "draws_by_student" or "limits_only" (`GradeIsolated` says what it is).

    Raises:
        ClassError: it is something else than True or False.
    """
    from autograder.classroom.gradebook import course_config  # imports this module

    if not (course / CONFIG_FILE).is_file():
        return False
    found = course_config(course).GradeIsolated.get(name, False)
    if type(found) is not bool:
        words = {"file": course / CONFIG_FILE, "name": name, "found": found}
        raise ClassError(messages.NOT_A_SWITCH.format(**words))
    return found


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
    from autograder.classroom.course_lessons import (
        add_folder,
        lesson_folders,
        read_known,
        write_known,
    )
    from autograder.lessons.publishing import public_text  # it imports JAX

    points = defence_points(check_course(directory)) or 0.0
    kits = lessons if lessons.rubrics == KITS_FOLDER else kits_course()
    for root in lessons.own_roots():
        add_folder(directory, root)
    offered: dict[str, Lesson] = {}
    for course in [*map(open_lessons, lesson_folders(directory)), kits]:
        offered = {one.name: one for one in course.lessons()} | offered
    known, joins = read_known(directory) or (set(), False)
    replaced, added = [], []
    for lesson in offered.values():
        target = source_notebook(directory, lesson.name)
        is_new = lesson.name not in known and (lesson.is_own or joins)
        if not target.is_file() and not is_new:
            continue
        files = {target.parent / n: text for n, text in _assignment(lesson, points).items()}
        changed = {file: text for file, text in files.items() if not is_current(file, text)}
        if not target.is_file():
            added.append(lesson.name)
        elif changed:
            replaced.append(lesson.name)
        for file, text in changed.items():
            if file.is_file():
                kept = directory / REPLACED
                kept.mkdir(parents=True, exist_ok=True)
                now = f"{lesson.name}-{datetime.now():%Y%m%d-%H%M%S}"
                shutil.copy2(file, kept / file.name.replace(lesson.name, now, 1))
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, text)
    for course in map(open_lessons, lesson_folders(directory)):
        for name in sorted(set(course.own_names()) - set(offered)):
            folder = source_notebook(directory, name).parent  # of a notebook that was made by hand
            text = public_text(course.rubric(name)) if folder.is_dir() else ""
            if text and not is_current(public_file(folder, name), text):
                write_whole(public_file(folder, name), text)
                replaced.append(name)
    offered_now = {one.name for one in offered.values() if one.is_own or joins}
    if known or offered_now:
        write_known(directory, known | offered_now, joins)
    return replaced, added
