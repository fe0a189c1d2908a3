"""A lesson's own solutions: as the cells of a submission, and as the yardstick of its exercises."""

from __future__ import annotations

from dataclasses import replace

from autograder.core.notebook import SHOWS, Cell
from autograder.core.rubric import Rubric
from autograder.lessons.authoring import build_source, released, solution_region
from autograder.lessons.course import Lesson


def lesson_cells(lesson: Lesson, exercise: str, source: str | None) -> list[Cell]:
    """The cells a submission needs: those before its solution cell, solutions filled in.

    Args:
        lesson: the lesson.
        exercise: whose solution cell is replaced.
        source: what is put there; None for the starter.
    """
    cells = []
    for cell in build_source(lesson)["cells"]:
        if cell["cell_type"] != "code" or SHOWS & set(cell["metadata"].get("tags", ())):
            continue
        nbgrader = cell["metadata"].get("nbgrader", {})
        if nbgrader.get("grade"):
            continue
        if not nbgrader.get("solution"):
            cells.append(Cell(cell["id"], cell["source"], ""))
        elif cell["id"] == f"{exercise}-solution":
            put = released(cell) if source is None else source
            return [*cells, Cell(cell["id"], put, "solution")]
        else:
            cells.append(Cell(cell["id"], solution_region(cell["source"]), "solution"))
    raise ValueError(f"{lesson.script.name} has no solution cell for {exercise!r}")


def own_solution(lesson: Lesson, exercise: str) -> str:
    """The lesson's solution of one exercise."""
    for cell in build_source(lesson)["cells"]:
        if cell["id"] == f"{exercise}-solution":
            return solution_region(cell["source"])
    raise ValueError(f"{lesson.script.name} has no solution cell for {exercise!r}")


def with_yardsticks(lesson: Lesson) -> Rubric:
    """The lesson's rubric; exercises with points for memory know the cells of their solution."""
    exercises = []
    for exercise in lesson.rubric.exercises:
        if "memory" in exercise.points:
            cells = lesson_cells(lesson, exercise.name, own_solution(lesson, exercise.name))
            exercise = replace(exercise, yardstick=tuple(cell.source for cell in cells))
        exercises.append(exercise)
    return replace(lesson.rubric, exercises=tuple(exercises))
