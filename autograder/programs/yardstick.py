"""The yardstick of an exercise: the lesson's own solution as exported programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from autograder.model.program import Program
from autograder.model.rubric import Exercise, RubricError
from autograder.programs.export import abstract, export_program
from autograder.programs.jaxprs import jaxpr_lines

TRUSTED_SECONDS = 120.0
"""A student's function has less: no busy machine may make the lesson's own solution fail."""


def export_yardstick(
    exercise: Exercise, cells: Sequence[str], calls: Sequence[tuple]
) -> tuple[Program, ...]:
    """Export the lesson's own solution for some calls.

    `cells` are the lesson's up to that solution. They are trusted: this runs them.

    Raises:
        RubricError: the solution fails or cannot be exported.
    """
    with _blaming_the_lesson(exercise):
        function = exercise.results(_run_solution(exercise, cells))
        return tuple(export_program(function, abstract(args), TRUSTED_SECONDS) for args in calls)


def yardstick_jaxpr(exercise: Exercise, cells: Sequence[str], args: tuple) -> list[str]:
    """Describe the jaxpr of the lesson's own solution; see `export_yardstick`, `jaxpr_lines`."""
    with _blaming_the_lesson(exercise):
        return jaxpr_lines(_run_solution(exercise, cells), abstract(args))


def _run_solution(exercise: Exercise, cells: Sequence[str]) -> Callable[..., Any]:
    namespace = vars(ModuleType("yardstick"))
    for cell in cells:
        code = compile(cell, f"<solution of {exercise.name}>", "exec", dont_inherit=True)
        exec(code, namespace)
    return exercise.function(namespace)


@contextmanager
def _blaming_the_lesson(exercise: Exercise) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        text = f"the lesson's own solution of {exercise.name!r} fails: {problem}"
        raise RubricError(text) from None
