"""Compares a program's results with the float64 reference.

The tolerance is calibrated for each leaf from the reference's own float32 error on the same
inputs, so that any right formulation passes and a wrong constant of 1e-4 does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from autograder.core.call_text import call_text, number, structure
from autograder.core.finding import Finding
from autograder.core.program import named_leaves, split_data
from autograder.core.rubric import RubricError
from autograder.criteria.outputs import messages

_FACTOR = 8.0
"""How many times the reference's own float32 error is allowed; equivalent formulations stay under
0.12 of the tolerance."""

_ROUNDINGS = 16.0
"""Float32 roundings of the largest value, for leaves that the reference gets exactly right."""


@dataclass(frozen=True)
class ExpectedLeaf:
    """One leaf of the right results of a call.

    Attributes:
        path: such as ``"[0]"``.
        exact: its values in float64 (integers and booleans as they are).
        single: the same computed in float32: the dtype to return, and the calibration.
        least: the smallest size that rounding errors are relative to.
    """

    path: str
    exact: np.ndarray
    single: np.ndarray
    least: float = 0.0

    @property
    def is_float(self) -> bool:
        return np.issubdtype(self.single.dtype, np.floating)

    @property
    def finite(self) -> np.ndarray:
        return np.isfinite(self.exact) & np.isfinite(self.single)

    @property
    def scale(self) -> float:
        """The size that rounding errors are relative to."""
        return float(np.max(np.abs(self.exact), where=self.finite, initial=self.least))

    @property
    def tolerance(self) -> float:
        """The largest absolute error of a right result."""
        with np.errstate(invalid="ignore"):
            error = np.abs(self.single.astype(np.float64) - self.exact)
        noise = float(np.max(error, where=self.finite, initial=0.0))
        return _FACTOR * noise + _ROUNDINGS * float(np.finfo(np.float32).eps) * self.scale


Expected = tuple[ExpectedLeaf, ...]


def expected_results(
    reference: Callable[..., Any], args: tuple, scales: Mapping[str, float] | None = None
) -> Expected:
    """Run the reference on a call, in float64 and in float32.

    Args:
        reference: the right function.
        args: the call.
        scales: for paths of leaves, the smallest size that rounding errors are relative to.

    Raises:
        RubricError: `scales` names a leaf that the result does not have.
    """
    data, rebuild = split_data(args)
    double = [x.astype(np.float64) if x.dtype == np.float32 else x for x in data]
    with jax.enable_x64(True):
        exact = [np.asarray(leaf) for leaf in named_leaves(reference(*rebuild(double)))[1]]
    paths, single = named_leaves(reference(*rebuild(data)))
    scales = scales or {}
    if unknown := sorted(set(scales) - set(paths)):
        raise RubricError(messages.UNKNOWN_SCALE.format(names=unknown, leaves=list(paths)))
    return tuple(
        ExpectedLeaf(path, in_double, np.asarray(in_single), float(scales.get(path, 0.0)))
        for path, in_double, in_single in zip(paths, exact, single, strict=True)
    )


def why_ill_conditioned(expected: Expected, args: tuple, cap: float) -> str | None:
    """Explain why right results of a call cannot be told from wrong ones; None when they can.

    `cap` is the largest admissible tolerance, relative to the scale of a leaf.
    """
    if any(leaf.exact.shape != leaf.single.shape for leaf in expected):
        return messages.OTHER_RESULTS
    floats = [x for x in split_data(args)[0] if np.issubdtype(x.dtype, np.floating)]
    finite = all(np.isfinite(x).all() for x in floats)
    for leaf in expected:
        name = f"result{leaf.path}"
        if leaf.single.dtype.kind in "biu" and not np.array_equal(leaf.exact, leaf.single):
            return messages.UNDECIDED.format(name=name)
        if not leaf.is_float:
            continue
        for values, precision in ((leaf.exact, "float64"), (leaf.single, "float32")):
            if finite and not np.isfinite(values).all():
                return messages.NOT_FINITE.format(name=name, precision=precision)
        if leaf.scale and leaf.tolerance > cap * leaf.scale:
            return messages.TOO_NOISY.format(
                name=name, allowed=leaf.tolerance, cap=cap, scale=leaf.scale
            )
    return None


def compare_results(
    paths: tuple[str, ...], got: Sequence[np.ndarray], expected: Expected, args: tuple, name: str
) -> Finding | None:
    """Compare one call's results with the right ones; return the first thing that is wrong."""
    call = call_text(name, args)
    right = tuple(leaf.path for leaf in expected)
    if tuple(paths) != right or len(got) != len(right):
        text = messages.WRONG_STRUCTURE.format(
            call=call, got=structure(paths), expected=structure(right)
        )
        return Finding.error("wrong-structure", text)
    for values, leaf in zip(got, expected, strict=True):
        wrong = _compare_leaf(values, leaf)
        if wrong is not None:
            return Finding.error("wrong-output", messages.IN_CALL.format(call=call, wrong=wrong))
    return None


def _compare_leaf(got: np.ndarray, leaf: ExpectedLeaf) -> str | None:
    """Describe what is wrong with one leaf of the results; None when it is right."""
    exact, single, name = leaf.exact, leaf.single, f"result{leaf.path}"
    if got.shape != exact.shape:
        return messages.WRONG_SHAPE.format(name=name, got=got.shape, expected=exact.shape)
    if got.dtype != single.dtype:
        return messages.WRONG_DTYPE.format(name=name, got=got.dtype, expected=single.dtype)
    right = got == exact
    if leaf.is_float:
        with np.errstate(invalid="ignore"):
            near = np.abs(got.astype(np.float64) - exact) <= leaf.tolerance
        same = (got == single) | (np.isnan(got) & np.isnan(single))
        right = np.where(leaf.finite, near, same)
    if right.all():
        return None
    index = _find_worst(got, exact, right)
    return messages.WRONG_VALUE.format(
        place=f"{name}[{', '.join(map(str, index))}]" if index else name,
        got=number(got[index]),
        expected=number(exact[index]),
        wrong=int((~right).sum()),
        size=right.size,
        hint=messages.value_hint(got, exact),
    )


def _find_worst(got: np.ndarray, exact: np.ndarray, right: np.ndarray) -> tuple[int, ...]:
    """Return the index of the wrong value that is furthest off; NaN is furthest."""
    with np.errstate(invalid="ignore"):
        distance = np.abs(got.astype(np.float64) - exact.astype(np.float64))
    distance = np.where(right, -1.0, np.where(np.isnan(distance), np.inf, distance))
    return tuple(int(i) for i in np.unravel_index(np.argmax(distance), got.shape))
