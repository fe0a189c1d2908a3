"""Puts the speed criterion of an exercise in a bundle: program, baseline and inputs."""

from __future__ import annotations

import numpy as np

from autograder.core.program import Program, ProgramError, export_program, is_data, split_data
from autograder.core.rubric import Exercise, Rubric, RubricError
from autograder.criteria.speed.bundle import BundleWriter, Entry, PlainValue
from autograder.criteria.speed.runners import baseline_call

_DRAWS = 3


def without_arrays(call: tuple) -> tuple[PlainValue, ...]:
    """Return the arguments of a call, None for each array.

    Raises:
        RubricError: an argument is neither an array nor a plain value.
    """
    for argument in call:
        if not is_data(argument) and type(argument) not in (bool, int, float, str):
            raise RubricError(
                "an eager baseline is called with arrays, numbers and strings, not with a "
                f"{type(argument).__name__}"
            )
    return tuple(None if is_data(argument) else argument for argument in call)


def add_to_bundle(
    writer: BundleWriter,
    rubric: Rubric,
    exercise: Exercise,
    program: Program,
    key: int,
    *,
    stays_here: bool = False,
) -> Entry:
    """Put a student's program, the baseline and the inputs in a bundle.

    Args:
        writer: of the bundle.
        rubric, exercise: what the program was made for.
        program: exported for `exercise.speed_calls(key)`: the last one of an observation.
        key: of the draws to time with.
        stays_here: whether the bundle is timed on this machine, where the rubric is.

    Raises:
        RubricError: the exercise has no speed criterion, or its baseline cannot be exported.
    """
    speed = exercise.speed
    if speed is None:
        raise RubricError(f"exercise {exercise.name!r} has no speed criterion")
    if speed.eager and rubric.source != rubric.lesson and not stays_here:
        raise RubricError(
            f"exercise {exercise.name!r}: an eager baseline must be of one of the kit's lessons, "
            "because the machine that times it finds it by the lesson's name"
        )
    calls = exercise.speed_calls(key, _DRAWS)
    baseline = None
    try:
        call, baseline_iterations, program_iterations = baseline_call(exercise, calls[0])
        if not speed.eager:
            baseline = export_program(exercise.results(speed.baseline), call).blob
    except Exception as error:  # whatever the rubric's code raises
        what = str(error) if isinstance(error, ProgramError) else f"{type(error).__name__}: {error}"
        raise RubricError(f"the baseline of {exercise.name!r} is not a program: {what}") from None
    return writer.add(
        exercise.name,
        program.blob,
        baseline,
        [[np.asarray(array) for array in split_data(call)[0]] for call in calls],
        rubric=rubric.digest,
        key=key,
        threshold=speed.threshold,
        program_iterations=program_iterations,
        baseline_iterations=baseline_iterations,
        eager=rubric.lesson if speed.eager else "",
        call=without_arrays(calls[0]) if speed.eager else (),
    )
