"""Makes what is timed: a compiled program, or a rubric's own function that runs without jit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from autograder.core.program import ProgramError
from autograder.core.rubric import Exercise, RubricError
from autograder.core.rubric_files import load_rubric
from autograder.core.running import load_program
from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import BundleError, Entry

Device = Any  # jax.Device, which type checkers see as a variable


@dataclass(frozen=True)
class Runner:
    """What is timed: `run` takes arrays on `device` and returns arrays.

    `iterations` is how many steps of the algorithm one run does; times are compared per iteration.
    """

    run: Callable[..., Any]
    device: Device
    iterations: int = 1


def compile_program(
    blob: bytes, draw: Sequence[np.ndarray], device: Device, iterations: int
) -> Runner:
    """Deserialize, check and compile a program for the inputs it will get.

    Raises:
        ProgramError: not a program, too large, for other inputs, or a forbidden custom call.
        BundleError: programs are not made for this device.
    """
    exported = load_program(blob)
    platform = "cuda" if device.platform == "gpu" else device.platform
    if platform not in exported.platforms:
        known = ", ".join(exported.platforms)
        raise BundleError(messages.OTHER_PLATFORM.format(platform=platform, platforms=known))
    wanted = [(aval.shape, str(aval.dtype)) for aval in exported.in_avals]
    given = [(array.shape, str(array.dtype)) for array in draw]
    if wanted != given:
        raise ProgramError("other-inputs", f"made for {wanted}, called with {given}")
    sharding = jax.sharding.SingleDeviceSharding(device)
    specs = [jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=sharding) for a in draw]
    return Runner(jax.jit(exported.call).lower(*specs).compile(), device, iterations)


def baseline_call(exercise: Exercise, call: tuple) -> tuple[tuple, int, int]:
    """Return the call of the baseline, its own number of iterations, and the program's."""
    speed, at = exercise.speed, exercise.iterations
    if speed is None or at is None:
        return call, 1, 1
    theirs = call[at]
    own = speed.baseline_iterations or theirs
    return (*call[:at], own, *call[at + 1 :]), own, theirs


def load_eager(entry: Entry, device: Device, source: str = "") -> Runner:
    """Return the eager baseline of a bundle's entry, from the rubric installed here.

    `source` is that of a rubric that is not the kit's: its bundle never leaves this machine.

    Raises:
        BundleError: there is no such rubric, or it is not the one that the bundle was made with.
    """
    refused = messages.OTHER_RUBRIC.format(exercise=entry.exercise, lesson=entry.eager)
    try:
        rubric = load_rubric(source or entry.eager)
        exercise = rubric.exercise(entry.exercise)
    except RubricError as error:
        raise BundleError(refused) from error
    if rubric.digest != entry.rubric or exercise.speed is None:
        raise BundleError(refused)
    call, iterations, _ = baseline_call(exercise, entry.call)
    function = exercise.results(exercise.speed.baseline)

    def run(*arrays: jax.Array) -> Any:
        given = iter(arrays)
        arguments = [next(given) if argument is None else argument for argument in call]
        with jax.default_device(device), jax.default_matmul_precision("highest"):
            return jax.tree.leaves(function(*arguments))

    return Runner(run, device, iterations)
