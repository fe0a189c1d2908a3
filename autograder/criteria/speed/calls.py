"""The calls of a program that is timed, and of its baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.criteria.speed.bundle import PlainValue
from autograder.model.call_text import kind_of
from autograder.model.exercise import ProgramExercise, RubricError
from autograder.programs.export import is_data


def baseline_call(exercise: ProgramExercise, call: tuple) -> tuple[tuple, int, int]:
    """Return the call of the baseline, its own number of iterations, and the program's."""
    speed, loop = exercise.speed, exercise.loop
    if speed is None or loop is None:
        return call, 1, 1
    at = loop.argument
    theirs = call[at]
    own = speed.baseline_iterations or theirs
    return (*call[:at], own, *call[at + 1 :]), own, theirs


def without_arrays(call: tuple) -> tuple[PlainValue, ...]:
    """Return the arguments of a call, None for each array; they must be plain values otherwise."""
    for argument in call:
        if not is_data(argument) and type(argument) not in (bool, int, float, str):
            raise RubricError(
                "where a program is timed, the rubric's code is called with arrays, numbers and "
                f"strings, not with {kind_of(argument)}"
            )
    return tuple(None if is_data(argument) else argument for argument in call)


def fill_call(call: Sequence[Any], arrays: Sequence[Any]) -> tuple:
    """Return a call with arrays in place of None."""
    given = iter(arrays)
    return tuple(next(given) if argument is None else argument for argument in call)
