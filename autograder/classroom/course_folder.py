"""Makes and updates an nbgrader course folder with the kit's lessons."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path

from autograder.classroom import messages
from autograder.core.files import write_whole
from autograder.lessons.authoring import build_source, notebook_text
from autograder.lessons.course import Course, LessonError

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
'''

REPLACED = Path(".autograder", "replaced")


class CourseError(ValueError):
    """The course folder cannot be written; nothing was changed."""


def make_course(directory: Path, root: Path) -> list[str]:
    """Make a course folder: the configuration, and one source assignment for each lesson.

    Returns:
        The names of the assignments.

    Raises:
        CourseError: `directory` is not empty.
    """
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise CourseError(messages.COURSE_EXISTS.format(path=directory))
    lessons = Course(root).lessons()
    if not lessons:
        raise LessonError(messages.LESSONS_MISSING.format(folder=root / "solutions"))
    texts = {lesson.name: notebook_text(build_source(lesson)) for lesson in lessons}
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        target = source_notebook(directory, name)
        target.parent.mkdir(parents=True)
        write_whole(target, text)
    config = CONFIG.format(course_id=directory.resolve().name)
    write_whole(directory / "nbgrader_config.py", config)
    return list(texts)


def source_notebook(directory: Path, name: str) -> Path:
    """Return the path of a lesson's source notebook in a course."""
    return directory / "source" / name / f"{name}.ipynb"


def refresh_course(directory: Path, root: Path) -> list[str]:
    """Update the lessons of a course that have changed.

    Lessons that were removed from the course stay removed. Old files are kept with a date in
    ``.autograder/replaced``: nbgrader would release what is in ``source`` to students.

    Returns:
        The names of the assignments that were replaced.

    Raises:
        CourseError: `directory` is not a course folder.
    """
    if not (directory / "nbgrader_config.py").is_file():
        raise CourseError(messages.NO_COURSE.format(course=directory))
    replaced = []
    for lesson in Course(root).lessons():
        target = source_notebook(directory, lesson.name)
        text = notebook_text(build_source(lesson))
        if not target.is_file() or target.read_text(encoding="utf-8") == text:
            continue
        kept = directory / REPLACED
        kept.mkdir(parents=True, exist_ok=True)
        shutil.copy2(target, kept / f"{lesson.name}-{datetime.now():%Y%m%d-%H%M%S}.ipynb")
        write_whole(target, text)
        replaced.append(lesson.name)
    return replaced
