"""The yardstick of an exercise: the lesson's own solution as exported programs."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from autograder.core.program import Program, abstract, export_program
from autograder.core.rubric import Exercise, RubricError

_SECONDS = 120.0
"""A student's function has less: no busy machine may make the lesson's own solution fail."""


def export_yardstick(
    exercise: Exercise, cells: Sequence[str], calls: Sequence[tuple]
) -> tuple[Program, ...]:
    """Export the lesson's own solution for some calls.

    `cells` are the lesson's up to that solution. They are trusted: this runs them.

    Raises:
        RubricError: the solution fails or cannot be exported.
    """
    name, namespace = exercise.name, vars(ModuleType("yardstick"))
    try:
        for cell in cells:
            exec(compile(cell, f"<solution of {name}>", "exec", dont_inherit=True), namespace)
        function = exercise.results(exercise.function(namespace))
        return tuple(export_program(function, abstract(args), _SECONDS) for args in calls)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise RubricError(f"the lesson's own solution of {name!r} fails: {problem}") from None
