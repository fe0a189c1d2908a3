"""A lesson's own solutions: as the cells of a submission, and for its programs to be compared."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from autograder.lessons.authoring import build_source, put_starter, solution_region
from autograder.lessons.lesson import Lesson, LessonError
from autograder.model.exercise import Exercise, ProgramExercise
from autograder.model.magics import without_magics
from autograder.model.notebook import Cell, cells_of
from autograder.model.rubric import Rubric


def lesson_cells(
    lesson: Lesson, exercise: str, source: str | None, above: Mapping[str, str] | None = None
) -> list[Cell]:
    """Return the cells that a submission needs: up to its solution cell, solutions filled in.

    Args:
        lesson: the lesson.
        exercise: its solution cell is the last, and gets the source.
        source: of that cell; None for the starter.
        above: other solutions than the lesson's own, by exercise, for the cells before.
    """
    before, last = _read_cells(lesson, exercise)
    source = put_starter(last.source) if source is None else source
    others = {f"{name}-solution": text for name, text in (above or {}).items()}
    return [
        *(replace(cell, source=others.get(cell.id, cell.source)) for cell in before),
        replace(last, source=source),
    ]


def own_solution(lesson: Lesson, exercise: str) -> str:
    """Return the lesson's solution of one exercise or drill."""
    return solution_region(_read_cells(lesson, exercise)[1].source)


def built_on(lesson: Lesson, exercise: str) -> list[str]:
    """Return the exercises whose own solutions use a function that this one asks for."""
    others = {one.name: one for one in lesson.rubric.exercises}
    asked = {*getattr(others.pop(exercise, None), "entry_points", ())}  # none for a drill

    def uses(other: str) -> bool:
        names = ast.walk(ast.parse(without_magics(own_solution(lesson, other))))
        return any(isinstance(node, ast.Name) and node.id in asked for node in names)

    return list(filter(uses, others))


def with_reference_solutions(lesson: Lesson) -> Rubric:
    """Return the lesson's rubric with its own solutions, where programs are compared with them."""
    compared = [one.name for one in lesson.rubric.exercises if _is_compared(one)]

    def cells(exercise: str) -> tuple[str, ...]:
        own = own_solution(lesson, exercise)
        return tuple(cell.source for cell in lesson_cells(lesson, exercise, own))

    return replace(lesson.rubric, reference_solutions={name: cells(name) for name in compared})


def _is_compared(exercise: Exercise) -> bool:
    return isinstance(exercise, ProgramExercise) and exercise.needs_reference_solution


def _read_cells(lesson: Lesson, exercise: str) -> tuple[list[Cell], Cell]:
    """Return the cells above an exercise's solution cell, solutions filled in, and that cell.

    No other drill is among them: nothing may depend on one.
    """
    changed = lesson.script.stat().st_mtime_ns
    before: list[Cell] = []
    for cell in _build_cells(lesson, changed):
        if cell.id == f"{exercise}-solution":
            return before, cell
        if cell.role == "solution":
            before.append(replace(cell, source=solution_region(cell.source)))
        elif cell.role == "":
            before.append(cell)
    raise LessonError(f"{lesson.script.name} has no solution cell for {exercise!r}")


@lru_cache(maxsize=32)
def _build_cells(lesson: Lesson, changed: int) -> tuple[Cell, ...]:
    """Return the cells of a lesson's notebook; a script that changed later is read again."""
    return cells_of(build_source(lesson))
