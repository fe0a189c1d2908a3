"""An nbgrader course folder with the kit's lessons."""

from __future__ import annotations

from pathlib import Path

from autograder.authoring import LessonError, build_source, find_lessons, notebook_text

CONFIG = '''"""nbgrader configuration of this course, written by `autograder course`."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = {course_id!r}

# Releases the lessons' broken starter code where nbgrader would put an empty stub.
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

# Grading: submissions of any shape are read, solution cells run in confined workers, check cells
# are never run but filled in by the judge, and what waits for a GPU gets no mark yet.
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

EXISTS = (
    "{path} already exists and is not empty; nothing was written. Name a new folder, or move the "
    "old one away."
)


class CourseError(ValueError):
    """The course folder cannot be written; nothing was changed."""


def make_course(directory: Path, root: Path) -> list[str]:
    """Write an nbgrader course folder: configuration, and one source assignment a lesson.

    Args:
        directory: the folder to make; must not exist or be empty.
        root: the checkout that holds the lessons.

    Returns:
        The names of the assignments.

    Raises:
        CourseError: `directory` holds something already.
    """
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise CourseError(EXISTS.format(path=directory))
    lessons = find_lessons(root)
    if not lessons:
        raise LessonError(f"{root / 'solutions'} holds no lessons")
    texts = {lesson.name: notebook_text(build_source(lesson)) for lesson in lessons}
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        folder = directory / "source" / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
    config = CONFIG.format(course_id=directory.resolve().name)
    (directory / "nbgrader_config.py").write_text(config, encoding="utf-8")
    return list(texts)
