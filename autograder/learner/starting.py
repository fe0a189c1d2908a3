"""`start` and `reset`: starters are written where nothing is lost by it."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path

from autograder.core.files import write_whole
from autograder.learner import sentences
from autograder.learner.checking import content_digest, lesson_in_checkout
from autograder.learner.folder import LearningError, LessonNotebook
from autograder.learner.records import dotfolder
from autograder.lessons.authoring import build_exercise, generated, notebook_text
from autograder.lessons.course import Course


def start(directory: Path, root: Path) -> tuple[int, int]:
    """Make a learner's own copy of the exercises; whatever is there already stays.

    Args:
        directory: the folder; lessons that it lacks are added.
        root: the checkout with the lessons.

    Returns:
        How many lessons were written and how many were there.

    Raises:
        LearningError: `directory` is a file, or cannot be written.
    """
    if directory.exists() and not directory.is_dir():
        raise LearningError(sentences.NOT_A_FOLDER.format(path=directory))
    texts = generated(Course(root).lessons())
    new = kept = 0
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            target, is_lesson = directory / name, name.endswith(".ipynb")
            if target.exists():
                kept += is_lesson
                continue
            write_whole(target, text)
            new += is_lesson
    except OSError as error:
        raise LearningError(
            sentences.UNWRITABLE.format(path=directory, problem=error.strerror)
        ) from None
    return new, kept


def reset(notebook: LessonNotebook, kit: Path | None = None) -> Path | None:
    """Give a lesson's starter back, and keep a dated copy of what was there.

    Args:
        notebook: the lesson.
        kit: the checkout; by default the one at hand.

    Returns:
        Where the learner's work is kept; None when there was none.

    Raises:
        LearningError: no checkout, or the folder cannot be written; the notebook is as it was.
    """
    path = notebook.path
    lesson = lesson_in_checkout(notebook.rubric(), kit)
    if lesson is None:
        raise LearningError(sentences.NO_STARTER_HERE.format(lesson=notebook.lesson))
    text = notebook_text(build_exercise(lesson))
    try:
        if path.exists() and content_digest(path.read_bytes()) == content_digest(text.encode()):
            return None
        kept = dotfolder(path) / "kept"
        kept.mkdir(exist_ok=True)
        copy = _unused(kept / f"{path.stem}-{datetime.datetime.now():%Y-%m-%d-%H%M%S}.ipynb")
        shutil.copy2(path, copy)
        write_whole(path, text)
    except OSError as error:
        raise LearningError(
            sentences.UNWRITABLE.format(path=path, problem=error.strerror)
        ) from None
    return copy


def _unused(path: Path) -> Path:
    count, candidate = 1, path
    while candidate.exists():
        candidate = path.with_stem(f"{path.stem}-{count}")
        count += 1
    return candidate
