"""Judges what a program returned for the calls that are timed, on the device that times it.

Right results come with the bundle, in float64 and in float32. How exact an answer can be is
calibrated twice: with the float32 results, and with those of the lesson's own solution on this
device, whose sums have another order. Where a rubric compares by itself, it judges here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from autograder.core.expected import Expected, ExpectedLeaf, expected_results
from autograder.core.rubric import Exercise
from autograder.criteria.speed import messages

MOST_NOISE = 0.25
"""The largest tolerance that tells right from wrong, relative to the scale of a leaf."""

Arrays = Sequence[np.ndarray]
Judge = Callable[[int, Arrays, Arrays | None], str | None]
"""Given the number of a draw, what a program returned, and what the lesson's own solution returned
(None where there is none): says what is wrong."""


class Unjudgeable(Exception):
    """No program's results can be judged here; the message says why."""


def expect_results(exercise: Exercise, call: tuple) -> list[np.ndarray]:
    """Return the right results of a call as arrays for a bundle."""
    assert exercise.reference is not None
    with np.errstate(all="ignore"):
        expected = expected_results(exercise.results(exercise.reference), call, exercise.scales)
    return as_arrays(expected)


def as_arrays(expected: Expected) -> list[np.ndarray]:
    """Return right results as `judge_by_results` reads them: three arrays for each leaf."""
    return [
        array for leaf in expected for array in (leaf.exact, leaf.single, np.asarray(leaf.least))
    ]


def judge_by_results(draws: Sequence[Arrays]) -> Judge:
    """Return a judge that compares with right results, as `as_arrays` gives them."""
    expected = [
        [
            ExpectedLeaf(f"result {i // 3 + 1}", *arrays[i : i + 2], least=float(arrays[i + 2]))
            for i in range(0, len(arrays), 3)
        ]
        for arrays in draws
    ]

    def judge(draw: int, got: Arrays, own: Arrays | None) -> str | None:
        leaves = expected[draw]
        if own is not None and _kinds(own) != [_kind(leaf.single) for leaf in leaves]:
            raise Unjudgeable(messages.WRONG_YARDSTICK)
        if len(got) != len(leaves):
            return messages.OTHER_STRUCTURE.format(got=len(got), right=len(leaves))
        for i, (values, leaf) in enumerate(zip(got, leaves, strict=True)):
            calibrated = [leaf] if own is None else [leaf, replace(leaf, single=own[i])]
            wrong = _judge_leaf(values, calibrated)
            if wrong:
                return wrong
        return None

    return judge


def judge_by_rubric(exercise: Exercise, calls: Sequence[tuple]) -> Judge:
    """Return a judge that asks the rubric's `compare`; `calls` are those that are timed."""
    compare = exercise.compare
    assert compare is not None

    def ask(draw: int, results: Arrays) -> str | None:
        try:
            return compare(calls[draw], [*results])
        except Exception as error:
            text = f"{type(error).__name__}: {error}"[:200]
            raise Unjudgeable(messages.JUDGE_FAILED.format(error=text)) from error

    def judge(draw: int, got: Arrays, own: Arrays | None) -> str | None:
        wrong = ask(draw, got)
        if wrong and own is not None and ask(draw, own):
            raise Unjudgeable(messages.WRONG_YARDSTICK)
        return wrong and messages.WRONG_BY_RUBRIC.format(wrong=wrong)

    return judge


def _judge_leaf(got: np.ndarray, calibrated: Sequence[ExpectedLeaf]) -> str | None:
    leaf = calibrated[0]
    if any(one.is_float and one.tolerance > MOST_NOISE * one.scale > 0 for one in calibrated):
        raise Unjudgeable(messages.TOO_NOISY_RESULTS.format(name=leaf.path))
    if _kind(got) != _kind(leaf.single):
        have, need = (f"{a.dtype}{list(a.shape)}" for a in (got, leaf.single))
        return messages.OTHER_KIND.format(name=leaf.path, got=have, right=need)
    wrong = ~np.any([one.find_right(got) for one in calibrated], axis=0)
    if not wrong.any():
        return None
    return messages.WRONG_RESULT.format(name=leaf.path, wrong=int(wrong.sum()), size=wrong.size)


def _kind(array: np.ndarray) -> tuple[tuple[int, ...], np.dtype]:
    return array.shape, array.dtype


def _kinds(arrays: Arrays) -> list[tuple[tuple[int, ...], np.dtype]]:
    return [_kind(array) for array in arrays]
