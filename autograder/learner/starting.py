"""`start`: a learner's own copy of the exercises. It is there at once, without an import of JAX."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.learner import sentences
from autograder.learner.folder import LearningError, find_notebooks
from autograder.lessons.course import Course
from autograder.processes.files import write_whole
from autograder.render.progress import track


@contextmanager
def explain_unwritable(path: Path) -> Iterator[None]:
    """Say what to do where a file of the learner's cannot be written."""
    try:
        yield
    except OSError as error:
        text = sentences.UNWRITABLE.format(path=path, problem=error.strerror)
        raise LearningError(text) from None


def copy_exercises(directory: Path, course: Course) -> tuple[int, int]:
    """Make a learner's own copy of the exercises; existing files stay as they are.

    A lesson that is there under another name, as after an upgrade that changed its number, stays
    as well, and is not written again.

    Returns:
        How many lessons were written, and how many were there before.
    """
    if directory.exists() and not directory.is_dir():
        raise LearningError(sentences.NOT_A_FOLDER.format(path=directory))
    new = kept = 0
    folder = course.root / "exercises"
    texts = {f.name: f.read_text(encoding="utf-8") for f in sorted(folder.glob("[!.]*.*"))}
    with explain_unwritable(directory):
        directory.mkdir(parents=True, exist_ok=True)
        there = {notebook.lesson for notebook in find_notebooks(directory)}
        for name, text in track([*texts.items()], sentences.COPYING):
            target, is_lesson = directory / name, name.endswith(".ipynb")
            if target.exists() or (is_lesson and target.stem.partition("_")[2] in there):
                kept += is_lesson
            else:
                write_whole(target, text)
                new += is_lesson
    return new, kept
