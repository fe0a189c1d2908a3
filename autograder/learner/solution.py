"""`solution`: what the lesson's author wrote, once it can do no harm."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.learner import sentences
from autograder.learner.checking import check_notebook, lesson_in_checkout
from autograder.learner.folder import LearningError, LessonNotebook
from autograder.learner.records import read_record
from autograder.lessons.authoring import build_source, solution_region


@dataclass(frozen=True)
class Part:
    """The solution of one cell: code, or the model answer of a question (Markdown)."""

    name: str
    text: str
    is_code: bool


def solution(notebook: LessonNotebook, *, spoil: bool, kit: Path | None = None) -> list[Part]:
    """The lesson's solutions in the order of the notebook.

    Args:
        notebook: the lesson.
        spoil: show them before the lesson is solved.
        kit: the checkout; by default the one at hand.

    Raises:
        LearningError: not solved yet, or there is no checkout.
    """
    rubric = notebook.rubric()
    lesson = lesson_in_checkout(rubric, kit)
    if lesson is None:
        raise LearningError(sentences.NO_SOLUTION_HERE.format(lesson=notebook.lesson))
    solved = spoil or read_record(notebook.path).solved
    if not solved and not check_notebook(notebook.path, rubric).holds:
        raise LearningError(sentences.NOT_SOLVED.format(lesson=notebook.lesson))
    parts = []
    for cell in build_source(lesson)["cells"]:
        nbgrader = cell["metadata"].get("nbgrader", {})
        if nbgrader.get("solution"):
            name = nbgrader["grade_id"].removesuffix("-solution")
            text = solution_region(cell["source"]).strip("\n")
            parts.append(Part(name, text, cell["cell_type"] == "code"))
    return parts
