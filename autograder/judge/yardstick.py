"""The yardstick of an exercise: the lesson's own solution, exported by trusted code."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

from autograder.core.program import Program, abstract, export_program
from autograder.core.rubric import RubricError, redrawn
from autograder.core.rubric_files import load_rubric


@lru_cache(maxsize=16)
def export_yardstick(
    source: str, digest: str, exercise: str, key: int, redraws: int, cells: tuple[str, ...]
) -> tuple[Program, ...]:
    """Export the lesson's own solution for the calls that are judged.

    Args:
        source: lesson name or rubric file.
        digest: of the rubric: a rubric that has changed is not taken from the cache.
        exercise: the exercise's name.
        key: of the draws to judge with.
        redraws: of that key.
        cells: the lesson's cells up to its own solution. They are trusted: this runs them.

    Raises:
        RubricError: the solution fails or cannot be exported.
    """
    found = redrawn(load_rubric(source).exercise(exercise), {key: redraws})
    namespace = vars(ModuleType("yardstick"))
    try:
        for cell in cells:
            exec(compile(cell, f"<solution of {exercise}>", "exec", dont_inherit=True), namespace)
        function = found.results(found.function(namespace))
        return tuple(export_program(function, abstract(args)) for args in found.calls(key))
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise RubricError(f"the lesson's own solution of {exercise!r} fails: {problem}") from None
