"""From the bytes of an exported program to something that runs on one device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from autograder.core.program import ProgramError
from autograder.core.running import load_program
from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import BundleError
from autograder.criteria.speed.pairs import Device, Runner

_PLATFORM = {"gpu": "cuda", "cpu": "cpu"}


def compile_program(
    blob: bytes,
    draw: Sequence[np.ndarray],
    device: Device,
    iterations: int,
) -> Runner:
    """Deserialize, check and compile a program for the inputs it will get.

    Args:
        blob: what ``Exported.serialize`` gave.
        draw: one tuple of inputs.
        device: where it will run.
        iterations: steps of the algorithm in one run.

    Raises:
        ProgramError: no program, too large, for other inputs, or a forbidden custom call.
        BundleError: programs are not made for this device.
    """
    exported = load_program(blob)
    platform = _PLATFORM.get(device.platform, device.platform)
    if platform not in exported.platforms:
        known = ", ".join(exported.platforms)
        raise BundleError(messages.OTHER_PLATFORM.format(platform=platform, platforms=known))
    wanted = [(aval.shape, str(aval.dtype)) for aval in exported.in_avals]
    given = [(array.shape, str(array.dtype)) for array in draw]
    if wanted != given:
        raise ProgramError("other-inputs", f"made for {wanted}, called with {given}")
    place = jax.sharding.SingleDeviceSharding(device)
    specs = [jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=place) for a in draw]
    compiled: Any = jax.jit(exported.call).lower(*specs).compile()
    return Runner(compiled, device, iterations)
