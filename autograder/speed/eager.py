"""A baseline that runs without jit: no program, but the rubric's own function, op by op."""

from __future__ import annotations

from typing import Any

import jax

from autograder.program import split_data
from autograder.rubric import Exercise, RubricError, load_rubric
from autograder.speed import messages
from autograder.speed.bundle import BundleError, Entry
from autograder.speed.pairs import Device, Runner


def baseline_call(exercise: Exercise, call: tuple) -> tuple[tuple, int, int]:
    """The call of the baseline, its own number of iterations, and the program's."""
    speed, at = exercise.speed, exercise.iterations
    if speed is None or at is None:
        return call, 1, 1
    theirs = call[at]
    own = speed.baseline_iterations or theirs
    return (*call[:at], own, *call[at + 1 :]), own, theirs


def eager_runner(exercise: Exercise, call: tuple, device: Device) -> Runner:
    """The exercise's baseline, to be run without jit on the data leaves of `call`."""
    assert exercise.speed is not None
    short, own, _ = baseline_call(exercise, call)
    _, rebuild = split_data(short)
    function = exercise.results(exercise.speed.baseline)

    def run(*arrays: jax.Array) -> Any:
        with jax.default_device(device), jax.default_matmul_precision("highest"):
            return jax.tree.leaves(function(*rebuild(arrays)))

    return Runner(run, device, own)


def load_eager(entry: Entry, device: Device) -> Runner:
    """The eager baseline of a bundle's entry, from the rubric installed here.

    Raises:
        BundleError: there is no such rubric, or it is not the one that the bundle was made with.
    """
    refused = messages.OTHER_RUBRIC.format(exercise=entry.exercise, lesson=entry.eager)
    try:
        rubric = load_rubric(entry.eager)
        exercise = rubric.exercise(entry.exercise)
    except RubricError as error:
        raise BundleError(refused) from error
    if rubric.digest != entry.rubric:
        raise BundleError(refused)
    return eager_runner(exercise, exercise.speed_calls(entry.key)[0], device)
