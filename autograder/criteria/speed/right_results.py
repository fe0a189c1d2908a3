"""Judges what a program returned for the calls that are timed, on the device that times it.

Right results come with the bundle, in float64 and in float32. But each device has roundings of its
own, and some values depend on nothing else: Adam divides a gradient by its size, so where it is
almost zero, rounding decides its sign and with it a whole step. So the lesson's own solution runs
here too, on the inputs as they are and with their last bits changed. What these bits decide is not
judged, one value in a hundred may be off, and a draw in which rounding decides more is not timed.
Where a rubric compares by itself, it judges here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.criteria.speed import messages
from autograder.model.exercise import ProgramExercise
from autograder.model.expected import FACTOR, Expected, ExpectedLeaf

DRAWS = 3
"""How many draws are timed."""

MOST_NOISE = 0.25
"""The largest tolerance that tells right from wrong, relative to the scale of a leaf."""

MOST_LOOSE = 0.01
"""The largest part of a leaf's values that rounding may decide. No program gains time by leaving
out so few."""

MOVES = (1, 1, 4, 4, 16, 16)
"""By how many roundings the inputs are moved, in a run for each: further than a program's own
errors reach, so that what those could turn over turns over here."""

Arrays = Sequence[np.ndarray]
Run = Callable[[Arrays], list[np.ndarray]]
Judge = Callable[[Arrays], str | None]
"""Given what a program returned for a draw: says what is wrong."""


class Unjudgeable(Exception):
    """No program's results can be judged here; the message says why."""


class Draw(NamedTuple):
    """The arrays of a call that is timed, and the judge of what programs return for it."""

    arrays: Arrays
    judge: Judge


def as_arrays(expected: Expected) -> list[np.ndarray]:
    """Return right results as `judge_by_results` reads them: three arrays for each leaf."""
    return [
        array for leaf in expected for array in (leaf.exact, leaf.single, np.asarray(leaf.least))
    ]


def judge_by_results(
    paths: Sequence[str], expected: Arrays, draw: Arrays, run_own: Run | None
) -> Judge:
    """Return a judge that compares with right results.

    Args:
        paths: of the leaves.
        expected: as `as_arrays` gives them.
        draw: the inputs.
        run_own: runs the lesson's own solution on this device; None where there is none.

    Raises:
        Unjudgeable: rounding errors are too large, or the lesson's own solution is wrong here.
    """
    right = [
        ExpectedLeaf(path, *expected[3 * i : 3 * i + 2], least=float(expected[3 * i + 2]))
        for i, path in enumerate(paths)
    ]
    runs: list[list[np.ndarray]] = []
    if run_own is not None:
        rng = np.random.default_rng(0)
        runs = [run_own(draw), *(run_own(_move(draw, ulps, rng)) for ulps in MOVES)]
        kinds = [_kind(leaf.single) for leaf in right]
        if any([_kind(array) for array in run] != kinds for run in runs):
            raise Unjudgeable(messages.WRONG_SOLUTION)
    tolerances = [_calibrate(leaf, [run[i] for run in runs]) for i, leaf in enumerate(right)]

    def judge(got: Arrays) -> str | None:
        if len(got) != len(right):
            return messages.OTHER_STRUCTURE.format(got=len(got), right=len(right))
        return next(filter(None, map(_find_wrong, right, tolerances, got)), None)

    if runs and judge(runs[0]):
        raise Unjudgeable(messages.WRONG_SOLUTION)
    return judge


def judge_by_rubric(
    exercise: ProgramExercise, call: tuple, draw: Arrays, run_own: Run | None
) -> Judge:
    """Return a judge that asks the rubric's `Comparison`; see `judge_by_results`.

    Raises:
        Unjudgeable: the lesson's own solution is wrong here, or the comparison fails.
    """
    comparison = exercise.comparison
    assert comparison is not None

    def judge(got: Arrays) -> str | None:
        try:
            wrong = comparison.find_fault(call, [*got])
        except Exception as error:
            text = f"{type(error).__name__}: {error}"[:200]
            raise Unjudgeable(messages.JUDGE_FAILED.format(error=text)) from error
        return wrong and messages.WRONG_BY_RUBRIC.format(wrong=wrong)

    if run_own is not None and judge(run_own(draw)):
        raise Unjudgeable(messages.WRONG_SOLUTION)
    return judge


def choose_draws(candidates: Sequence[Arrays], judge_of: Callable[[int], Judge]) -> list[Draw]:
    """Return the first `DRAWS` candidates that programs can be judged on.

    Raises:
        Unjudgeable: there is none.
    """
    chosen: list[Draw] = []
    problem = None
    for i, arrays in enumerate(candidates):
        try:
            chosen.append(Draw(arrays, judge_of(i)))
        except Unjudgeable as error:
            problem = problem or error
        if len(chosen) == DRAWS:
            break
    if problem and not chosen:
        raise problem
    return chosen


def _calibrate(right: ExpectedLeaf, own: Sequence[np.ndarray]) -> np.ndarray:
    """Return how far each value of a leaf of the right results may be off on this device.

    `own` is what the lesson's own solution returned, for `_move`d inputs from the second on.

    Raises:
        Unjudgeable: rounding errors are too large, or the own solution is wrong.
    """
    most = MOST_NOISE * right.scale
    moved = np.zeros(right.exact.shape)
    for other in own[1:]:
        moved = np.fmax(moved, _distances(own[0], other))
    loose = FACTOR * moved > most

    def noise_of(known: np.ndarray) -> float:
        errors = np.nan_to_num(right.errors(known)[right.finite & ~loose], nan=np.inf)
        errors.sort()
        kept = errors[: len(errors) - _spared(right.exact)]
        return FACTOR * float(np.max(kept, initial=0.0)) + right.rounding

    noise = noise_of(right.single) if right.is_float else 0.0
    noise_here = noise_of(own[0]) if right.is_float and own else 0.0
    if np.sum(loose) > _spared(right.exact) or noise > most > 0:
        raise Unjudgeable(messages.TOO_NOISY_RESULTS.format(name=f"result{right.path}"))
    if noise_here > most > 0:  # and it is not for the last bits of the inputs
        raise Unjudgeable(messages.WRONG_SOLUTION)
    return np.where(loose, np.inf, FACTOR * moved + max(noise, noise_here))


def _find_wrong(right: ExpectedLeaf, tolerance: np.ndarray, got: np.ndarray) -> str | None:
    """Return what is wrong with a leaf of a result; None where nothing is."""
    name = f"result{right.path}"
    if _kind(got) != _kind(right.single):
        have, need = (f"{a.dtype}{list(a.shape)}" for a in (got, right.single))
        return messages.OTHER_KIND.format(name=name, got=have, right=need)
    wrong = ~right.find_right(got, tolerance)
    if not right.is_float:
        wrong &= np.isfinite(tolerance)
    if wrong.sum() <= _spared(got) and not np.any(wrong & ~np.isfinite(got)):
        return None
    at = np.unravel_index(np.argmax(np.where(wrong, right.errors(got), -1)), wrong.shape)
    return messages.WRONG_RESULT.format(
        name=name,
        wrong=int(wrong.sum()),
        size=wrong.size,
        got=got[at].item(),
        right=right.exact[at].item(),
    )


def _move(draw: Arrays, ulps: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return the arrays of a draw, those of floats with each value moved up or down."""

    def move(array: np.ndarray) -> np.ndarray:
        if not np.issubdtype(array.dtype, np.floating):
            return array
        signs = rng.choice([-1, 1], size=array.shape)
        return (array * (1 + signs * ulps * np.finfo(array.dtype).eps)).astype(array.dtype)

    return [move(array) for array in draw]


def _distances(array: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return how far apart values are: zero where they are the same, NaN included."""
    if not np.issubdtype(array.dtype, np.inexact):
        return np.where(array == other, 0.0, np.inf)
    with np.errstate(invalid="ignore"):
        far = np.abs(array.astype(np.float64) - other.astype(np.float64))
    same = (array == other) | (np.isnan(array) & np.isnan(other))
    return np.where(same, 0.0, np.where(np.isnan(far), np.inf, far))


def _spared(array: np.ndarray) -> int:
    """Return how many values of a leaf rounding may decide."""
    return int(MOST_LOOSE * array.size)


def _kind(array: np.ndarray) -> tuple[tuple[int, ...], Any]:
    return array.shape, array.dtype
