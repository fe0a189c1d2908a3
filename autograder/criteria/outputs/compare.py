"""The outputs criterion: a program's results against the float64 reference.

The tolerance is calibrated for each leaf from the reference's own float32 error on the same
inputs, so that any right formulation passes and a wrong constant of 1e-4 does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from autograder.core.call_text import call_text, number, structure
from autograder.core.finding import Finding
from autograder.core.program import named_leaves, split_data
from autograder.core.rubric import RubricError
from autograder.criteria.outputs import messages

FACTOR = 8.0
"""Times the reference's own float32 error. Equivalent formulations stay under 0.12 of the total."""

ROUNDINGS = 16.0
"""Float32 roundings of the largest value, for leaves that the reference gets exactly right."""


class IllConditioned(RubricError):
    """With this draw the reference cannot tell right from wrong; with another it may."""


@dataclass(frozen=True)
class Expected:
    """Right results of one call.

    Attributes:
        names: path of each leaf.
        exact: each leaf in float64 (integers and booleans as they are).
        single: the same computed in float32: the dtypes to return, and the calibration.
        scales: of each leaf, the size that its rounding errors count from at least.
    """

    names: tuple[str, ...]
    exact: list[np.ndarray]
    single: list[np.ndarray]
    scales: tuple[float, ...]


def expected_results(
    reference: Callable[..., Any], args: tuple, scales: Mapping[str, float] | None = None
) -> Expected:
    """Run the reference on a call, in float64 and in float32.

    Args:
        reference: the right function.
        args: the call.
        scales: by path of a leaf, the size that its rounding errors count from at least.

    Raises:
        RubricError: `scales` names a leaf that the result does not have.
    """
    data, rebuild = split_data(args)
    double = [x.astype(np.float64) if x.dtype == np.float32 else x for x in data]
    with jax.enable_x64(True):
        names, leaves = named_leaves(reference(*rebuild(double)))
        exact = [np.asarray(leaf) for leaf in leaves]
    names, leaves = named_leaves(reference(*rebuild(data)))
    scales = scales or {}
    if unknown := sorted(set(scales) - set(names)):
        raise RubricError(messages.UNKNOWN_SCALE.format(names=unknown, leaves=list(names)))
    least = tuple(float(scales.get(name, 0.0)) for name in names)
    return Expected(names, exact, [np.asarray(leaf) for leaf in leaves], least)


def _scale(exact: np.ndarray, single: np.ndarray, least: float) -> float:
    """The size that the rounding errors of a leaf are relative to."""
    finite = np.isfinite(exact) & np.isfinite(single)
    return float(np.max(np.abs(exact), where=finite, initial=least))


def tolerance(exact: np.ndarray, single: np.ndarray, least: float = 0.0) -> float:
    """Admissible absolute error of one float leaf, whose errors count from `least` or more."""
    finite = np.isfinite(exact) & np.isfinite(single)
    with np.errstate(invalid="ignore"):
        error = np.abs(single.astype(np.float64) - exact)
    noise = float(np.max(error, where=finite, initial=0.0))
    rounding = float(np.finfo(np.float32).eps) * _scale(exact, single, least)
    return FACTOR * noise + ROUNDINGS * rounding


def ill_conditioned(expected: Expected, args: tuple, cap: float) -> str | None:
    """Why right results of a call cannot be told from wrong ones; None when they can.

    Args:
        expected: what the reference gives.
        args: the call.
        cap: largest admissible tolerance, relative to the scale of a leaf.
    """
    if [x.shape for x in expected.exact] != [x.shape for x in expected.single]:
        return messages.OTHER_RESULTS
    floats = [x for x in split_data(args)[0] if np.issubdtype(x.dtype, np.floating)]
    finite = all(np.isfinite(x).all() for x in floats)
    leaves = zip(expected.names, expected.exact, expected.single, expected.scales, strict=True)
    for path, exact, single, least in leaves:
        name = f"result{path}"
        if single.dtype.kind in "biu" and not np.array_equal(exact, single):
            return messages.UNDECIDED.format(name=name)
        if not np.issubdtype(single.dtype, np.floating):
            continue
        for leaf, precision in ((exact, "float64"), (single, "float32")):
            if finite and not np.isfinite(leaf).all():
                return messages.NOT_FINITE.format(name=name, precision=precision)
        scale, allowed = _scale(exact, single, least), tolerance(exact, single, least)
        if scale and allowed > cap * scale:
            return messages.TOO_NOISY.format(name=name, allowed=allowed, cap=cap, scale=scale)
    return None


def _worst(got: np.ndarray, exact: np.ndarray) -> tuple[int, ...]:
    with np.errstate(invalid="ignore"):
        distance = np.abs(got.astype(np.float64) - exact.astype(np.float64))
    distance = np.where(np.isnan(distance), np.inf, distance)
    same = (got == exact) | (np.isnan(got.astype(float)) & np.isnan(exact.astype(float)))
    worst = np.argmax(np.where(same, 0, distance))
    return tuple(int(i) for i in np.unravel_index(worst, got.shape))


def compare_leaf(
    got: np.ndarray, exact: np.ndarray, single: np.ndarray, name: str, least: float = 0.0
) -> str | None:
    """What is wrong with one leaf of the results, as a sentence; None when it is right."""
    if got.shape != exact.shape:
        return messages.WRONG_SHAPE.format(name=name, got=got.shape, expected=exact.shape)
    if got.dtype != single.dtype:
        return messages.WRONG_DTYPE.format(name=name, got=got.dtype, expected=single.dtype)
    if got.size == 0:
        return None
    if np.issubdtype(single.dtype, np.floating):
        allowed = tolerance(exact, single, least)
        with np.errstate(invalid="ignore"):
            near = np.abs(got.astype(np.float64) - exact) <= allowed
        finite = np.isfinite(exact) & np.isfinite(single)
        right = np.where(finite, near, (got == single) | (np.isnan(got) & np.isnan(single)))
    else:
        right = got == exact
    if right.all():
        return None
    index = _worst(got, exact if exact.dtype == got.dtype else exact.astype(np.float64))
    index = index if not right[index] else tuple(int(i) for i in np.argwhere(~right)[0])
    place = f"{name}[{', '.join(map(str, index))}]" if index else name
    return messages.WRONG_VALUE.format(
        place=place,
        got=number(got[index]),
        expected=number(exact[index]),
        wrong=int((~right).sum()),
        size=right.size,
        hint=messages.value_hint(got, exact),
    )


def compare_results(
    names: tuple[str, ...],
    got: list[np.ndarray],
    expected: Expected,
    args: tuple,
    call: str,
) -> Finding | None:
    """Compare one call's results with the reference's; the first thing that is wrong, if any."""
    if tuple(names) != expected.names or len(got) != len(names):
        return Finding(
            "wrong-structure",
            "error",
            None,
            messages.WRONG_STRUCTURE.format(
                call=call_text(call, args),
                got=structure(names),
                expected=structure(expected.names),
            ),
        )
    leaves = zip(names, got, expected.exact, expected.single, expected.scales, strict=True)
    for name, leaf, exact, single, least in leaves:
        wrong = compare_leaf(leaf, exact, single, f"result{name}", least)
        if wrong is not None:
            text = messages.IN_CALL.format(call=call_text(call, args), wrong=wrong)
            return Finding.error("wrong-output", text)
    return None
