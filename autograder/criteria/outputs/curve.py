"""What a card draws of a program: its values by iteration over the reference's."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from autograder.core.figures import Curve, curve_points
from autograder.core.rubric import PUBLIC_KEY, redrawn
from autograder.core.rubric_files import load_rubric
from autograder.core.running import ready
from autograder.criteria.outputs.compare import expected_results


@lru_cache(maxsize=64)
def _reference_curve(source: str, digest: str, exercise: str, redraws: int) -> np.ndarray:
    found = redrawn(load_rubric(source).exercise(exercise), {PUBLIC_KEY: redraws})
    assert found.curve is not None and found.reference is not None
    reference = found.results(found.reference)
    return expected_results(reference, found.unrolling_calls()[-1]).exact[found.curve[1]]


def draw_curve(source: str, exercise_name: str, blob: bytes, redraws: int = 0) -> Curve | None:
    """A program's values by iteration over the reference's, for an exercise with a `curve`.

    Args:
        source, exercise_name: rubric and exercise.
        blob: the program of the last of the exercise's `unrolling_calls`.
        redraws: of the public key.
    """
    rubric = load_rubric(source)
    exercise = redrawn(rubric.exercise(exercise_name), {PUBLIC_KEY: redraws})
    assert exercise.curve is not None
    name, position = exercise.curve
    right = _reference_curve(source, rubric.digest, exercise.name, redraws)
    try:
        got = ready(blob)(exercise.unrolling_calls()[-1])[position]
    except Exception:  # it cannot run, or gives other results: the outputs criterion says why
        return None
    if got.shape != right.shape or not np.issubdtype(got.dtype, np.floating):
        return None
    return Curve(name, curve_points(got.tolist()), curve_points(right.tolist()))
