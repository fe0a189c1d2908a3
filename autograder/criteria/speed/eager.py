"""A baseline that runs without jit: no program, but the rubric's own function, op by op."""

from __future__ import annotations

from typing import Any

import jax

from autograder.core.program import is_data
from autograder.core.rubric import Exercise, RubricError
from autograder.core.rubric_files import load_rubric
from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import BundleError, Entry, Static
from autograder.criteria.speed.pairs import Device, Runner


def baseline_call(exercise: Exercise, call: tuple) -> tuple[tuple, int, int]:
    """The call of the baseline, its own number of iterations, and the program's."""
    speed, at = exercise.speed, exercise.iterations
    if speed is None or at is None:
        return call, 1, 1
    theirs = call[at]
    own = speed.baseline_iterations or theirs
    return (*call[:at], own, *call[at + 1 :]), own, theirs


def without_arrays(call: tuple) -> tuple[Static, ...]:
    """The arguments of a call, None for each array.

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


def eager_runner(exercise: Exercise, call: tuple[Static, ...], device: Device) -> Runner:
    """The exercise's baseline, to be run without jit on the arrays of a call.

    Args:
        exercise: with a speed criterion.
        call: as `without_arrays` gives it.
        device: where it will run.
    """
    assert exercise.speed is not None
    short, own, _ = baseline_call(exercise, call)
    function = exercise.results(exercise.speed.baseline)

    def run(*arrays: jax.Array) -> Any:
        given = iter(arrays)
        arguments = [next(given) if argument is None else argument for argument in short]
        with jax.default_device(device), jax.default_matmul_precision("highest"):
            return jax.tree.leaves(function(*arguments))

    return Runner(run, device, own)


def load_eager(entry: Entry, device: Device, source: str = "") -> Runner:
    """The eager baseline of a bundle's entry, from the rubric installed here.

    Args:
        entry: of the bundle.
        device: where it will run.
        source: of the rubric, where it is not the kit's: the bundle never leaves this machine.

    Raises:
        BundleError: there is no such rubric, or it is not the one that the bundle was made with.
    """
    refused = messages.OTHER_RUBRIC.format(exercise=entry.exercise, lesson=entry.eager)
    try:
        rubric = load_rubric(source or entry.eager)
        exercise = rubric.exercise(entry.exercise)
    except RubricError as error:
        raise BundleError(refused) from error
    if rubric.digest != entry.rubric:
        raise BundleError(refused)
    return eager_runner(exercise, entry.call, device)
