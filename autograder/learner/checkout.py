"""`start`, `reset` and `solution`: what a learner takes from the kit's course."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autograder.learner import sentences
from autograder.learner.checking import check_notebook, content_digest, lesson_in_checkout
from autograder.learner.folder import LearningError, LessonNotebook, find_notebooks
from autograder.learner.notebook_record import make_dotfolder, read_record
from autograder.lessons.authoring import (
    build_exercise,
    build_solved,
    notebook_text,
    solution_cells,
)
from autograder.lessons.course import Course, Lesson, find_course
from autograder.model.notebook import NotebookNode
from autograder.processes.files import write_whole
from autograder.render.progress import track


@contextmanager
def _writing(path: Path) -> Iterator[None]:
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
    with _writing(directory):
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


def with_deleted(
    known: list[LessonNotebook], folder: Path, kit: Path | None = None
) -> list[LessonNotebook]:
    """Return the notebooks of a folder, and those of the course that it lacks."""
    there = {notebook.lesson for notebook in known}
    lessons = [one for one in find_course(kit).lessons() if one.name not in there]
    return [*known, *(LessonNotebook(one.name, folder / one.notebook_name) for one in lessons)]


def reset_notebook(notebook: LessonNotebook, kit: Path | None = None) -> Path | None:
    """Replace a notebook by its starter, and keep a dated copy of the learner's work.

    Returns:
        The copy; None when the notebook is the starter already, or was missing.
    """
    path = notebook.path
    starter = notebook_text(build_exercise(_lesson(notebook, kit)))
    with _writing(path):
        if not path.exists():
            write_whole(path, starter)
            return None
        if content_digest(path.read_bytes()) == content_digest(starter.encode()):
            return None
        folder = make_dotfolder(path) / "kept"
        folder.mkdir(exist_ok=True)
        stem = f"{path.stem}-{datetime.datetime.now():%Y-%m-%d-%H%M%S}"
        copy, count = folder / f"{stem}.ipynb", 0
        while copy.exists():
            count += 1
            copy = folder / f"{stem}-{count}.ipynb"
        shutil.copy2(path, copy)
        write_whole(path, starter)
    return copy


def find_solutions(
    notebook: LessonNotebook, *, spoil: bool, kit: Path | None = None
) -> dict[str, NotebookNode]:
    """Return the cells of a lesson's solutions, by exercise or question, in notebook order.

    Raises:
        LearningError: the lesson is not solved, and `spoil` is false; or it was not found.
    """
    lesson = _lesson(notebook, kit)
    solved = spoil or read_record(notebook.path).solved
    if not solved and not check_notebook(notebook.path, notebook.rubric()).all_passed:
        raise LearningError(sentences.NOT_SOLVED.format(lesson=notebook.lesson))
    found = {}
    for cell in solution_cells(build_solved(lesson)):
        source = cell["source"].strip("\n")
        found[cell["id"].removesuffix("-solution")] = NotebookNode({**cell, "source": source})
    return found


def _lesson(notebook: LessonNotebook, kit: Path | None) -> Lesson:
    lesson = lesson_in_checkout(notebook.rubric(), kit)
    if lesson is None:
        raise LearningError(sentences.NO_SOURCE.format(lesson=notebook.lesson))
    return lesson
