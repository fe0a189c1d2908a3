"""Computes right results, and keeps them; draws a program's curve over the right one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from autograder.criteria.outputs import messages
from autograder.criteria.outputs.compare import why_ill_conditioned
from autograder.model.expected import Expected
from autograder.model.figures import Curve, curve_points
from autograder.model.rubric import MOST_REDRAWS, PUBLIC_KEY, Exercise, RubricError, redrawn
from autograder.model.rubric_files import load_rubric
from autograder.programs.reference import expected_results
from autograder.programs.runner import Runner


class IllConditioned(RubricError):
    """With this draw the reference cannot tell right from wrong; with another it may."""


@lru_cache(maxsize=64)
def reference_results(
    source: str, digest: str, exercise: str, key: int, redraws: int
) -> list[tuple[tuple, Expected | None]]:
    """Return the calls of a draw and their right results; None where a rubric compares itself.

    Raises:
        IllConditioned: with this draw right results cannot be told from wrong ones.
    """
    found = redrawn(load_rubric(source).exercise(exercise), {key: redraws})
    return [(args, _run_reference(found, args)) for args in found.calls(key)]


@lru_cache(maxsize=64)
def loop_results(
    source: str, digest: str, exercise: str, key: int, redraws: int
) -> list[tuple[tuple, Expected | None]]:
    """Do as `reference_results` does, for the calls that show whether a loop is unrolled."""
    found = redrawn(load_rubric(source).exercise(exercise), {key: redraws})
    return [(args, _run_reference(found, args)) for args in found.unrolling_calls(key)]


def _run_reference(exercise: Exercise, args: tuple) -> Expected | None:
    if exercise.known is not None:
        return exercise.known(args)
    if exercise.reference is None:
        return None
    try:
        with np.errstate(all="ignore"):  # results that are not finite are reported below
            expected = expected_results(exercise.results(exercise.reference), args, exercise.scales)
    except RubricError:
        raise
    except Exception as error:  # a matrix that cannot be inverted, say
        text = f"{type(error).__name__}: {error}"
        raise IllConditioned(messages.REFERENCE_FAILS.format(error=text[:300])) from None
    why = why_ill_conditioned(expected, args, exercise.cap)
    if why is not None:
        raise IllConditioned(why)
    return expected


def redraws_needed(source: str, exercise: str, key: int) -> int:
    """Return how many draws of a key to pass over until the reference can judge with one.

    Raises:
        RubricError: more than `MOST_REDRAWS`.
    """
    digest, why = load_rubric(source).digest, ""
    for redraws in range(MOST_REDRAWS + 1):
        try:
            reference_results(source, digest, exercise, key, redraws)
            loop_results(source, digest, exercise, key, redraws)
        except IllConditioned as error:
            why = str(error)
        else:
            return redraws
    text = messages.NO_DRAW.format(exercise=exercise, count=MOST_REDRAWS, why=why)
    raise RubricError(text)


@lru_cache(maxsize=64)
def right_answers(source: str, digest: str, exercise: str) -> dict[str, Any]:
    """Return the right answer to each question of an exercise: what running the code shows."""
    reference = load_rubric(source).exercise(exercise).reference
    assert reference is not None
    return reference()


@lru_cache(maxsize=64)
def _reference_curve(source: str, digest: str, exercise: str, redraws: int) -> np.ndarray:
    found = redrawn(load_rubric(source).exercise(exercise), {PUBLIC_KEY: redraws})
    assert found.curve is not None and found.reference is not None
    reference = found.results(found.reference)
    return expected_results(reference, found.unrolling_calls(PUBLIC_KEY)[-1])[found.curve[1]].exact


def draw_curve(
    source: str, exercise_name: str, blob: bytes, runner: Runner, redraws: int = 0
) -> Curve | None:
    """Return a program's values by iteration and the reference's, for an exercise with a `curve`.

    `blob` is the program of the last of the exercise's `unrolling_calls`, which `runner` runs.
    `redraws` are those of the public key.
    """
    rubric = load_rubric(source)
    exercise = redrawn(rubric.exercise(exercise_name), {PUBLIC_KEY: redraws})
    assert exercise.curve is not None
    name, position = exercise.curve
    right = _reference_curve(source, rubric.digest, exercise.name, redraws)
    try:
        got = runner.run(blob, exercise.unrolling_calls(PUBLIC_KEY)[-1])[position]
    except Exception:  # it cannot run, or gives other results: the outputs criterion says why
        return None
    if got.shape != right.shape or not np.issubdtype(got.dtype, np.floating):
        return None
    return Curve(name, curve_points(got.tolist()), curve_points(right.tolist()))
