"""The speed criterion of an exercise: program, baseline and inputs, put in a bundle."""

from __future__ import annotations

import numpy as np

from autograder.core.program import Program, ProgramError, export_program, split_data
from autograder.core.rubric import Exercise, Rubric, RubricError
from autograder.criteria.speed.bundle import BundleWriter, Entry
from autograder.criteria.speed.eager import baseline_call, without_arrays

DRAWS = 3


def _baseline(exercise: Exercise, call: tuple) -> tuple[Program | None, int, int]:
    """The baseline as a program (None: it is eager), and the iterations of it and of theirs."""
    assert exercise.speed is not None
    short, own, theirs = baseline_call(exercise, call)
    if exercise.speed.eager:
        return None, own, theirs
    return export_program(exercise.results(exercise.speed.baseline), short), own, theirs


def _inputs(call: tuple) -> list[np.ndarray]:
    return [np.asarray(x) for x in split_data(call)[0]]


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
    if exercise.speed is None:
        raise RubricError(f"exercise {exercise.name!r} has no speed criterion")
    if exercise.speed.eager and rubric.source != rubric.lesson and not stays_here:
        raise RubricError(
            f"exercise {exercise.name!r}: an eager baseline must be of one of the kit's lessons, "
            "because the machine that times it finds it by the lesson's name"
        )
    calls = exercise.speed_calls(key, DRAWS)
    try:
        baseline, slow, fast = _baseline(exercise, calls[0])
    except Exception as error:  # whatever the rubric's code raises
        what = str(error) if isinstance(error, ProgramError) else f"{type(error).__name__}: {error}"
        raise RubricError(f"the baseline of {exercise.name!r} is no program: {what}") from None
    return writer.add(
        exercise.name,
        program.blob,
        None if baseline is None else baseline.blob,
        [_inputs(call) for call in calls],
        rubric=rubric.digest,
        key=key,
        threshold=exercise.speed.threshold,
        program_iterations=fast,
        baseline_iterations=slow,
        eager=rubric.lesson if exercise.speed.eager else "",
        call=without_arrays(calls[0]) if exercise.speed.eager else (),
    )
