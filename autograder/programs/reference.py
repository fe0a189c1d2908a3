"""Runs what is right: a rubric's reference, and the lesson's own solution of an exercise.

The reference gives the right results of a call, and how exact an answer can be. A student's program
is compared with the solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import jax
import numpy as np

from autograder.model.exercise import RubricError
from autograder.model.expected import Expected, ExpectedLeaf
from autograder.model.messages import UNKNOWN_SCALE
from autograder.model.program import Program
from autograder.model.rubric import Drawn
from autograder.programs.exported import abstract, export_program, named_leaves, split_data
from autograder.programs.jaxprs import jaxpr_lines

_MOVES = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
"""One way of rounding all numbers of a call for each: a factor to hash their bits with."""
TRUSTED_SECONDS = 120.0
"""A student's function has less: no busy machine may make the lesson's own solution fail."""


@np.errstate(all="ignore")  # results that are not finite are reported where they are compared
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
        raise RubricError(UNKNOWN_SCALE.format(names=unknown, leaves=list(paths)))
    return tuple(
        ExpectedLeaf(path, in_double, np.asarray(in_single), float(scales.get(path, 0.0)))
        for path, in_double, in_single in zip(paths, exact, single, strict=True)
    )


@np.errstate(all="ignore")
def moved_results(reference: Callable[..., Any], args: tuple) -> list[list[np.ndarray]]:
    """Run the reference in float32 on calls that differ from `args` by a rounding of each number.

    Where results are chaotic, as those of a long fit may be, these are far apart: one run alone
    says nothing about how exact a right answer is. Equal numbers stay equal, and whole ones as they
    are: they are counts and masks.

    Returns:
        For each of a few calls, the leaves of its result; nothing where all numbers are whole.
    """
    data, rebuild = split_data(args)
    calls = [[_move(x, factor) for x in data] for factor in _MOVES]
    return [
        [np.asarray(leaf) for leaf in named_leaves(reference(*rebuild(moved)))[1]]
        for moved in calls
        if any(x is not y for x, y in zip(data, moved, strict=True))
    ]


def _move(values: Any, factor: int) -> Any:
    """Move float32 numbers to a neighbour, up or down: equal ones alike, and whole ones not."""
    if values.dtype != np.float32:
        return values
    numbers = np.asarray(values)
    whole = numbers == np.round(numbers)
    if whole.all():
        return values
    with np.errstate(over="ignore"):  # a hash of a number's bits
        up = numbers.view(np.uint32) * np.uint32(factor) >= np.uint32(2**31)
    neighbours = np.nextafter(numbers, np.where(up, np.float32(np.inf), np.float32(-np.inf)))
    moved = np.where(whole, numbers, neighbours)
    return jax.numpy.asarray(moved) if isinstance(values, jax.Array) else moved


def export_solution(drawn: Drawn, calls: Sequence[tuple]) -> tuple[Program, ...]:
    """Export the lesson's own solution for some calls.

    It is trusted: this runs the lesson's cells.

    Raises:
        RubricError: the solution fails or cannot be exported.
    """
    with _blaming_the_lesson(drawn):
        function = drawn.exercise.results(_run_solution(drawn))
        return tuple(export_program(function, abstract(args), TRUSTED_SECONDS) for args in calls)


def describe_solution(drawn: Drawn, args: tuple) -> list[str]:
    """Return the lines of the jaxpr of the lesson's own solution for a call.

    Raises:
        RubricError: the solution fails or cannot be traced.
    """
    with _blaming_the_lesson(drawn):
        return jaxpr_lines(_run_solution(drawn), abstract(args))


def _run_solution(drawn: Drawn) -> Callable[..., Any]:
    namespace = vars(ModuleType("reference_solution"))
    for cell in drawn.reference_solution:
        code = compile(cell, f"<solution of {drawn.name}>", "exec", dont_inherit=True)
        exec(code, namespace)
    return drawn.exercise.function(namespace)


@contextmanager
def _blaming_the_lesson(drawn: Drawn) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        text = f"the lesson's own solution of {drawn.name!r} fails: {problem}"
        raise RubricError(text) from None
