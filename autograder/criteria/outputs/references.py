"""Calls and right results of an exercise, kept because they are the dear part of judging."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from autograder.core.rubric import MOST_REDRAWS, Exercise, RubricError, redrawn
from autograder.core.rubric_files import load_rubric
from autograder.criteria.outputs import messages
from autograder.criteria.outputs.compare import (
    Expected,
    IllConditioned,
    expected_results,
    ill_conditioned,
)


@lru_cache(maxsize=64)
def reference_results(
    source: str, digest: str, exercise: str, key: int, redraws: int
) -> list[tuple[tuple, Expected | None]]:
    """What each call of a draw should return; None where a rubric compares by itself.

    Raises:
        IllConditioned: with this draw right results cannot be told from wrong ones.
    """
    found = redrawn(load_rubric(source).exercise(exercise), {key: redraws})
    if found.reference is None:
        return [(args, None) for args in found.calls(key)]
    return [(args, _expected(found, args)) for args in found.calls(key)]


def _expected(exercise: Exercise, args: tuple) -> Expected:
    assert exercise.reference is not None
    try:
        with np.errstate(all="ignore"):  # results that are not finite are told below
            expected = expected_results(exercise.results(exercise.reference), args, exercise.scales)
    except RubricError:
        raise
    except Exception as error:  # a matrix that cannot be inverted, say
        text = f"{type(error).__name__}: {error}"
        raise IllConditioned(messages.REFERENCE_FAILS.format(error=text[:300])) from None
    why = ill_conditioned(expected, args, exercise.cap)
    if why is not None:
        raise IllConditioned(why)
    return expected


def redraws_needed(source: str, exercise: str, key: int) -> int:
    """How many draws of a key must be passed over until the reference can judge with one.

    Raises:
        RubricError: more than `MOST_REDRAWS`.
    """
    digest, why = load_rubric(source).digest, ""
    for redraws in range(MOST_REDRAWS + 1):
        try:
            reference_results(source, digest, exercise, key, redraws)
        except IllConditioned as error:
            why = str(error)
        else:
            return redraws
    text = messages.NO_DRAW.format(exercise=exercise, count=MOST_REDRAWS, why=why)
    raise RubricError(text)


@lru_cache(maxsize=64)
def right_answers(source: str, digest: str, exercise: str) -> dict[str, Any]:
    """What running the code shows, for each question of an exercise judged by answers."""
    reference = load_rubric(source).exercise(exercise).reference
    assert reference is not None
    return reference()
