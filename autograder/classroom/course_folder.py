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
from autograder.core.files import write_whole
from autograder.lessons.authoring import build_source, notebook_text
from autograder.lessons.course import Course

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

# Judges each student on secret inputs of their own. A change grades all submissions again.
# c.GradeIsolated.draws_by_student = True
'''


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


def make_course(directory: Path, root: Path) -> list[str]:
    """Make a course folder: the configuration, and one source assignment for each lesson.

    Returns:
        The names of the assignments.

    Raises:
        ClassError: `directory` is not empty, or there are no lessons; nothing was written.
    """
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise ClassError(messages.COURSE_EXISTS.format(path=directory))
    texts = {one.name: notebook_text(build_source(one)) for one in Course(root).lessons()}
    if not texts:
        raise ClassError(messages.LESSONS_MISSING.format(folder=root / "solutions"))
    for name, text in texts.items():
        target = source_notebook(directory, name)
        target.parent.mkdir(parents=True)
        write_whole(target, text)
    write_whole(directory / CONFIG_FILE, CONFIG.format(course_id=directory.resolve().name))
    return list(texts)


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


def draws_by_student(course: Path) -> bool:
    """Return whether the course's config says that each student is judged on inputs of their own.

    Raises:
        ClassError: it says something else than True or False.
    """
    from autograder.classroom.gradebook import course_config  # imports this module

    if not (course / CONFIG_FILE).is_file():
        return False
    found = course_config(course).GradeIsolated.get("draws_by_student", False)
    if type(found) is not bool:
        raise ClassError(messages.NOT_A_SWITCH.format(file=course / CONFIG_FILE, found=found))
    return found


def refresh_course(directory: Path, root: Path) -> list[str]:
    """Update the lessons of a course that have changed.

    Lessons that were removed from the course stay removed. Old files are kept with a date in
    ``.autograder/replaced``: nbgrader would release what is in ``source`` to students.

    Returns:
        The names of the assignments that were replaced.

    Raises:
        ClassError: `directory` is not a course folder.
    """
    points = defence_points(check_course(directory)) or 0.0
    replaced = []
    for lesson in Course(root).lessons():
        target = source_notebook(directory, lesson.name)
        text = notebook_text(build_source(lesson, points))
        if not target.is_file() or target.read_text(encoding="utf-8") == text:
            continue
        kept = directory / REPLACED
        kept.mkdir(parents=True, exist_ok=True)
        shutil.copy2(target, kept / f"{lesson.name}-{datetime.now():%Y%m%d-%H%M%S}.ipynb")
        write_whole(target, text)
        replaced.append(lesson.name)
    return replaced
