"""Runs the lesson's own solution of an exercise, with which a student's program is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from autograder.model.exercise import RubricError
from autograder.model.program import Program
from autograder.model.rubric import Drawn
from autograder.programs.exported import abstract, export_program
from autograder.programs.jaxprs import jaxpr_lines

TRUSTED_SECONDS = 120.0
"""A student's function has less: no busy machine may make the lesson's own solution fail."""


def export_solution(drawn: Drawn, calls: Sequence[tuple]) -> tuple[Program, ...]:
    """Export the lesson's own solution for some calls.

    It is trusted: this runs the lesson's cells.

    Raises:
        RubricError: the solution fails or cannot be exported.
    """
    with _blaming_the_lesson(drawn):
        function = drawn.exercise.results(_run_solution(drawn))
        return tuple(export_program(function, abstract(args), TRUSTED_SECONDS) for args in calls)


def describe_solution(drawn: Drawn, args: tuple) -> list[str]:
    """Return the lines of the jaxpr of the lesson's own solution for a call.

    Raises:
        RubricError: the solution fails or cannot be traced.
    """
    with _blaming_the_lesson(drawn):
        return jaxpr_lines(_run_solution(drawn), abstract(args))


def _run_solution(drawn: Drawn) -> Callable[..., Any]:
    namespace = vars(ModuleType("reference_solution"))
    for cell in drawn.reference_solution:
        code = compile(cell, f"<solution of {drawn.name}>", "exec", dont_inherit=True)
        exec(code, namespace)
    return drawn.exercise.function(namespace)


@contextmanager
def _blaming_the_lesson(drawn: Drawn) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        text = f"the lesson's own solution of {drawn.name!r} fails: {problem}"
        raise RubricError(text) from None
