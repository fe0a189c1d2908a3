"""The outputs criterion: a program's results against the float64 reference.

The tolerance is calibrated for each leaf from the reference's own float32 error on the same
inputs, so that any right formulation passes and a wrong constant of 1e-4 does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from autograder.finding import Finding
from autograder.messages import outputs as messages
from autograder.messages.values import call_text, number, structure
from autograder.program import named_leaves, split_data
from autograder.rubric import RubricError

FACTOR = 8.0
"""Times the reference's own float32 error. Equivalent formulations stay under 0.12 of the total."""

ROUNDINGS = 16.0
"""Float32 roundings of the largest value, for leaves that the reference gets exactly right."""


@dataclass(frozen=True)
class Expected:
    """Right results of one call.

    Attributes:
        names: path of each leaf.
        exact: each leaf in float64 (integers and booleans as they are).
        single: the same computed in float32: the dtypes to return, and the calibration.
    """

    names: tuple[str, ...]
    exact: list[np.ndarray]
    single: list[np.ndarray]


def expected_results(reference: Callable[..., Any], args: tuple) -> Expected:
    """Run the reference on a call, in float64 and in float32."""
    data, rebuild = split_data(args)
    double = [x.astype(np.float64) if x.dtype == np.float32 else x for x in data]
    with jax.enable_x64(True):
        names, leaves = named_leaves(reference(*rebuild(double)))
        exact = [np.asarray(leaf) for leaf in leaves]
    names, leaves = named_leaves(reference(*rebuild(data)))
    return Expected(names, exact, [np.asarray(leaf) for leaf in leaves])


def tolerance(exact: np.ndarray, single: np.ndarray, cap: float, name: str) -> float:
    """Admissible absolute error of one float leaf.

    Raises:
        RubricError: the reference is noisier than `cap` allows, so that it could not tell right
            from wrong.
    """
    finite = np.isfinite(exact) & np.isfinite(single)
    scale = float(np.max(np.abs(exact), where=finite, initial=0.0))
    with np.errstate(invalid="ignore"):
        error = np.abs(single.astype(np.float64) - exact)
    noise = float(np.max(error, where=finite, initial=0.0))
    allowed = FACTOR * noise + ROUNDINGS * float(np.finfo(np.float32).eps) * scale
    if scale and allowed > cap * scale:
        raise RubricError(
            f"result{name}: the calibrated tolerance {allowed:.3g} exceeds {cap:g} of the largest "
            f"value {scale:.3g}. Compare fewer iterations, or a better conditioned quantity."
        )
    return allowed


def _worst(got: np.ndarray, exact: np.ndarray) -> tuple[int, ...]:
    with np.errstate(invalid="ignore"):
        distance = np.abs(got.astype(np.float64) - exact.astype(np.float64))
    distance = np.where(np.isnan(distance), np.inf, distance)
    same = (got == exact) | (np.isnan(got.astype(float)) & np.isnan(exact.astype(float)))
    worst = np.argmax(np.where(same, 0, distance))
    return tuple(int(i) for i in np.unravel_index(worst, got.shape))


def compare_leaf(
    got: np.ndarray, exact: np.ndarray, single: np.ndarray, name: str, cap: float
) -> str | None:
    """What is wrong with one leaf of the results, as a sentence; None when it is right."""
    if got.shape != exact.shape:
        return messages.WRONG_SHAPE.format(name=name, got=got.shape, expected=exact.shape)
    if got.dtype != single.dtype:
        return messages.WRONG_DTYPE.format(name=name, got=got.dtype, expected=single.dtype)
    if got.size == 0:
        return None
    if np.issubdtype(single.dtype, np.floating):
        allowed = tolerance(exact, single, cap, name)
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
    cap: float,
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
    for name, leaf, exact, single in zip(names, got, expected.exact, expected.single, strict=True):
        wrong = compare_leaf(leaf, exact, single, f"result{name}", cap)
        if wrong is not None:
            return Finding("wrong-output", "error", None, f"{call_text(call, args)}: {wrong}")
    return None
