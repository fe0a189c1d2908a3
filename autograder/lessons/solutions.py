"""A lesson's own solutions: as the cells of a submission, and as the yardstick of its exercises."""

from __future__ import annotations

from dataclasses import replace

from autograder.core.notebook import Cell, cells_of
from autograder.core.rubric import Rubric
from autograder.lessons.authoring import build_source, put_starter, solution_region
from autograder.lessons.course import Lesson, LessonError


def lesson_cells(lesson: Lesson, exercise: str, source: str | None) -> list[Cell]:
    """Return the cells that a submission needs: up to its solution cell, solutions filled in.

    Args:
        lesson: the lesson.
        exercise: its solution cell is the last, and gets the source.
        source: of that cell; None for the starter.
    """
    cells = []
    for cell in cells_of(build_source(lesson)):
        if cell.id == f"{exercise}-solution":
            last = put_starter(cell.source) if source is None else source
            return [*cells, replace(cell, source=last)]
        if cell.role == "solution":
            cells.append(replace(cell, source=solution_region(cell.source)))
        elif cell.role == "":
            cells.append(cell)
    raise LessonError(f"{lesson.script.name} has no solution cell for {exercise!r}")


def own_solution(lesson: Lesson, exercise: str) -> str:
    """Return the lesson's solution of one exercise."""
    for cell in build_source(lesson)["cells"]:
        if cell["id"] == f"{exercise}-solution":
            return solution_region(cell["source"])
    raise LessonError(f"{lesson.script.name} has no solution cell for {exercise!r}")


def with_yardsticks(lesson: Lesson) -> Rubric:
    """Return the lesson's rubric; exercises with points for memory get their solution's cells."""
    exercises = []
    for exercise in lesson.rubric.exercises:
        if "memory" in exercise.points:
            cells = lesson_cells(lesson, exercise.name, own_solution(lesson, exercise.name))
            exercise = replace(exercise, yardstick=tuple(cell.source for cell in cells))
        exercises.append(exercise)
    return replace(lesson.rubric, exercises=tuple(exercises))
