"""The speed criterion of an exercise: its baseline as a program, timed here or put in a bundle."""

from __future__ import annotations

import math
from typing import Any

import jax
import numpy as np

from autograder.finding import Finding
from autograder.messages import speed as messages
from autograder.pictures import SpeedBars
from autograder.program import Program, ProgramError, export_program, split_data
from autograder.rubric import Exercise, Rubric, RubricError
from autograder.speed.bundle import BundleWriter, Entry
from autograder.speed.eager import baseline_call, eager_runner, without_arrays
from autograder.speed.loading import compile_program
from autograder.speed.pairs import compare

CPU_SECONDS = 2.0
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


def cpu_speed(exercise: Exercise, program: Program, key: int) -> tuple[Finding, SpeedBars | None]:
    """What this CPU tells of a program's speed, in words and drawn; without points."""
    assert exercise.speed is not None
    threshold = exercise.speed.threshold
    calls = exercise.speed_calls(key, DRAWS)
    draws = [_inputs(call) for call in calls]
    baseline, slow, fast = _baseline(exercise, calls[0])
    device = jax.devices("cpu")[0]
    rule, bars = "cpu-speed", None

    def runner(blob: bytes, iterations: int) -> Any:
        return compile_program(blob, draws[0], device, iterations, path="", name="")

    try:
        slow_one = (
            eager_runner(exercise, without_arrays(calls[0]), device)
            if baseline is None
            else runner(baseline.blob, slow)
        )
        found = compare(
            slow_one,
            runner(program.blob, fast),
            draws,
            threshold,
            limit_seconds=CPU_SECONDS,
        )
    except Exception as error:  # a program that cannot run has no speed
        rule = "cpu-speed-failed"
        reason = f"{type(error).__name__}."
        text = messages.CPU_SPEED_UNKNOWN.format(reason=reason, threshold=threshold)
    else:
        if math.isnan(found.ratio):
            text = messages.CPU_SPEED_UNKNOWN.format(reason=found.reason, threshold=threshold)
        else:
            text = messages.CPU_SPEED.format(
                ratio=found.ratio, low=found.low, high=found.high, threshold=threshold
            )
            bars = SpeedBars(found.ratio, found.low, found.high, threshold, "CPU")
    return Finding(rule, "warning", None, text), bars


def add_to_bundle(
    writer: BundleWriter, rubric: Rubric, exercise: Exercise, program: Program, key: int
) -> Entry:
    """Put a student's program, the baseline and the inputs in a bundle for a GPU machine.

    Args:
        writer: of the bundle.
        rubric, exercise: what the program was made for.
        program: exported for `exercise.speed_calls(key)`: the last one of an observation.
        key: of the draws to time with.

    Raises:
        RubricError: the exercise has no speed criterion, or its baseline cannot be exported.
    """
    if exercise.speed is None:
        raise RubricError(f"exercise {exercise.name!r} has no speed criterion")
    if exercise.speed.eager and rubric.source != rubric.lesson:
        raise RubricError(
            f"exercise {exercise.name!r}: an eager baseline must be of one of the kit's lessons, "
            "because the machine that times it finds it by the lesson's name"
        )
    calls = exercise.speed_calls(key, DRAWS)
    try:
        baseline, slow, fast = _baseline(exercise, calls[0])
    except ProgramError as error:
        raise RubricError(f"the baseline of {exercise.name!r} is no program: {error}") from None
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
