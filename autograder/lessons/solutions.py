"""A lesson's own solutions: as the cells of a submission, and as the yardstick of its exercises."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from autograder.lessons.authoring import Lesson, LessonError, put_starter, solution_region
from autograder.model.notebook import Cell
from autograder.model.rubric import Rubric
from autograder.model.rubric_files import load_lesson


def lesson_cells(lesson: Lesson, exercise: str, source: str | None) -> list[Cell]:
    """Return the cells that a submission needs: up to its solution cell, solutions filled in.

    Args:
        lesson: the lesson.
        exercise: its solution cell is the last, and gets the source.
        source: of that cell; None for the starter.
    """
    cells = []
    for cell in lesson.source_cells:
        if cell.id == f"{exercise}-solution":
            last = put_starter(cell.source) if source is None else source
            return [*cells, replace(cell, source=last)]
        if cell.role == "solution":  # but no other drill, on which nothing may depend
            cells.append(replace(cell, source=solution_region(cell.source)))
        elif cell.role == "":
            cells.append(cell)
    raise LessonError(f"{lesson.script.name} has no solution cell for {exercise!r}")


def own_solution(lesson: Lesson, exercise: str) -> str:
    """Return the lesson's solution of one exercise or drill."""
    for cell in lesson.source_cells:
        if cell.id == f"{exercise}-solution":
            return solution_region(cell.source)
    raise LessonError(f"{lesson.script.name} has no solution cell for {exercise!r}")


def with_yardsticks(lesson: Lesson) -> Rubric:
    """Return the lesson's rubric; exercises that are compared with their solution get its cells."""
    exercises = []
    for exercise in lesson.rubric.exercises:
        if exercise.has_yardstick:
            changed = lesson.script.stat().st_mtime_ns
            cells = _solution_cells(
                lesson.script, lesson.name, lesson.rubrics, exercise.name, changed
            )
            exercise = replace(exercise, yardstick=cells)
        exercises.append(exercise)
    return replace(lesson.rubric, exercises=tuple(exercises))


@lru_cache(maxsize=32)
def _solution_cells(
    script: Path, name: str, rubrics: Path, exercise: str, changed: int
) -> tuple[str, ...]:
    """Return the cells up to an exercise's solution; a script changed later is read again."""
    lesson = Lesson(0, name, script, load_lesson(name, rubrics), rubrics)
    cells = lesson_cells(lesson, exercise, own_solution(lesson, exercise))
    return tuple(cell.source for cell in cells)
