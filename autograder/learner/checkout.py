"""`reset` and `solution`: what a learner takes from the kit's course later on."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path

from autograder.learner import sentences
from autograder.learner.checking import check_notebook, content_digest
from autograder.learner.folder import LearningError, LessonNotebook
from autograder.learner.notebook_record import make_dotfolder, read_record
from autograder.learner.starting import explain_unwritable
from autograder.lessons.authoring import (
    build_exercise,
    build_solved,
    notebook_text,
    solution_cells,
)
from autograder.lessons.course import Lesson, find_course, the_course
from autograder.model.notebook import NotebookNode
from autograder.processes.files import write_whole


def with_deleted(known: list[LessonNotebook], folder: Path) -> list[LessonNotebook]:
    """Return the notebooks of a folder, and those of the course that it lacks."""
    there = {notebook.lesson for notebook in known}
    lessons = [one for one in find_course().lessons() if one.name not in there]
    return [*known, *(LessonNotebook(one.name, folder / one.notebook_name) for one in lessons)]


def reset_notebook(notebook: LessonNotebook) -> Path | None:
    """Replace a notebook by its starter, and keep a dated copy of the learner's work.

    Returns:
        The copy; None when the notebook is the starter already, or was missing.
    """
    path = notebook.path
    starter = notebook_text(build_exercise(_lesson(notebook)))
    with explain_unwritable(path):
        if not path.exists():
            write_whole(path, starter)
            return None
        if content_digest(path.read_bytes()) == content_digest(starter.encode()):
            return None
        folder = make_dotfolder(path) / "kept"
        folder.mkdir(exist_ok=True)
        copy = folder / f"{path.stem}-{datetime.datetime.now():%Y-%m-%d-%H%M%S-%f}.ipynb"
        shutil.copy2(path, copy)
        write_whole(path, starter)
    return copy


def find_solutions(notebook: LessonNotebook, *, spoil: bool) -> dict[str, NotebookNode]:
    """Return the cells of a lesson's solutions, by exercise or question, in notebook order.

    Raises:
        LearningError: the lesson is not solved, and `spoil` is false; or it was not found.
    """
    lesson = _lesson(notebook)
    solved = spoil or read_record(notebook.path).solved
    if not solved and not check_notebook(notebook.path, notebook.rubric()).all_passed:
        raise LearningError(sentences.NOT_SOLVED.format(lesson=notebook.lesson))
    found = {}
    for cell in solution_cells(build_solved(lesson)):
        source = cell["source"].strip("\n")
        found[cell["id"].removesuffix("-solution")] = NotebookNode({**cell, "source": source})
    return found


def _lesson(notebook: LessonNotebook) -> Lesson:
    lesson = the_course().lesson(notebook.lesson)
    if lesson is None:
        raise LearningError(sentences.NO_SOURCE.format(lesson=notebook.lesson))
    return lesson
