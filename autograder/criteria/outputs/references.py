"""Computes right results, and keeps them; draws a program's curve over the right one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from autograder.criteria.outputs import messages
from autograder.criteria.outputs.compare import why_ill_conditioned
from autograder.model.exercise import Comparison, Draws, FunctionExercise, RubricError
from autograder.model.expected import Expected
from autograder.model.figures import Curve, curve_points
from autograder.model.public_rubric import KnownResults
from autograder.model.rubric import MOST_REDRAWS, Drawn
from autograder.programs.reference import expected_results, moved_results
from autograder.programs.runner import Runner

Results = list[tuple[tuple, Expected | None]]
"""Calls and their right results; None where a rubric's `Comparison` judges results."""
Which = Literal["calls", "loops"]


class IllConditioned(RubricError):
    """With this draw the reference cannot tell right from wrong; with another it may."""


@lru_cache(maxsize=64)
def reference_results(drawn: Drawn, draws: Draws, which: Which = "calls") -> Results:
    """Return the calls of a draw and their right results.

    Args:
        drawn: the exercise.
        draws: of which key.
        which: the exercise's calls, or those that show whether a loop is unrolled.

    Raises:
        IllConditioned: with this draw right results cannot be told from wrong ones.
    """
    exercise = drawn.exercise
    calls = exercise.calls(draws) if which == "calls" else exercise.unrolling_calls(draws)
    return [(args, _run_reference(exercise, args)) for args in calls]


def _run_reference(exercise: FunctionExercise, args: tuple) -> Expected | None:
    reference = exercise.reference
    if reference is None or isinstance(reference, Comparison):
        return None
    if isinstance(reference, KnownResults):
        return reference(args)
    try:
        right = exercise.results(reference)
        expected = expected_results(right, args, exercise.scales)
        moved = moved_results(right, args)
    except RubricError:
        raise
    except Exception as error:  # a matrix that cannot be inverted, say
        text = f"{type(error).__name__}: {error}"
        raise IllConditioned(messages.REFERENCE_FAILS.format(error=text[:300])) from None
    why = why_ill_conditioned(expected, args, moved)
    if why is not None:
        raise IllConditioned(why)
    return expected


def redraws_needed(drawn: Drawn, key: int) -> int:
    """Return how many draws of a key to pass over until the reference can judge with one.

    Raises:
        RubricError: more than `MOST_REDRAWS`.
    """
    why = ""
    for redraws in range(MOST_REDRAWS + 1):
        try:
            reference_results(drawn, Draws(key, redraws))
            reference_results(drawn, Draws(key, redraws), "loops")
        except IllConditioned as error:
            why = str(error)
        else:
            return redraws
    raise RubricError(messages.NO_DRAW.format(exercise=drawn.name, count=MOST_REDRAWS, why=why))


@lru_cache(maxsize=64)
def right_answers(drawn: Drawn) -> Mapping[str, Any]:
    """Return the right answer to each question of an exercise: what running the code shows."""
    return drawn.exercise.answers()


def draw_curve(drawn: Drawn, blob: bytes, runner: Runner) -> Curve | None:
    """Return a program's values by iteration and the reference's, for an exercise with a `curve`.

    `blob` is the program of the last of the exercise's `unrolling_calls`, which `runner` runs.
    """
    name, position = drawn.exercise.curve
    call, expected = reference_results(drawn, drawn.judged, "loops")[-1]
    assert expected is not None  # a `Comparison` has no curve
    right = expected[position].exact
    try:
        got = runner.run(blob, call)[position]
    except Exception:  # it cannot run, or gives other results: the outputs criterion says why
        return None
    if got.shape != right.shape or not np.issubdtype(got.dtype, np.floating):
        return None
    return Curve(name, curve_points(got.tolist()), curve_points(right.tolist()))
