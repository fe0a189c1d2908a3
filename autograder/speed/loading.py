"""From the bytes of an exported program to something that runs on one device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from autograder.program import ProgramError, load_program
from autograder.speed import messages
from autograder.speed.bundle import BundleError
from autograder.speed.pairs import Device, Runner

_PLATFORM = {"gpu": "cuda", "cpu": "cpu"}


def compile_program(
    blob: bytes,
    draw: Sequence[np.ndarray],
    device: Device,
    iterations: int,
    *,
    path: str,
    name: str,
) -> Runner:
    """Deserialize, check and compile a program for the inputs it will get.

    Args:
        blob: what ``Exported.serialize`` gave.
        draw: one tuple of inputs.
        device: where it will run.
        iterations: steps of the algorithm in one run.
        path: of the bundle, and `name` of the file in it, for messages.

    Raises:
        BundleError: no program, not for this platform, other inputs, or a forbidden custom call.
    """
    try:
        exported = load_program(blob)
    except ProgramError as error:
        raise BundleError(
            messages.BAD_PROGRAM.format(path=path, name=name, error=_first_line(error))
        ) from error
    platform = _PLATFORM.get(device.platform, device.platform)
    if platform not in exported.platforms:
        known = ", ".join(exported.platforms)
        raise BundleError(
            messages.OTHER_PLATFORM.format(path=path, name=name, platform=platform, platforms=known)
        )
    wanted = [(aval.shape, str(aval.dtype)) for aval in exported.in_avals]
    given = [(array.shape, str(array.dtype)) for array in draw]
    if wanted != given:
        error = f"{given} given, {wanted} taken"
        raise BundleError(messages.BAD_INPUTS.format(path=path, name=name, error=error))
    place = jax.sharding.SingleDeviceSharding(device)
    specs = [jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=place) for a in draw]
    compiled: Any = jax.jit(exported.call).lower(*specs).compile()
    return Runner(compiled, device, iterations)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
