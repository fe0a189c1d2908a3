"""Calls and right results of an exercise, kept because they are the dear part of judging."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from autograder.outputs import Expected, expected_results
from autograder.rubric import load_rubric


@lru_cache(maxsize=64)
def reference_results(
    source: str, digest: str, exercise: str, key: int
) -> list[tuple[tuple, Expected | None]]:
    """What each call of a draw should return; None where a rubric compares by itself."""
    found = load_rubric(source).exercise(exercise)
    if found.reference is None:
        return [(args, None) for args in found.calls(key)]
    reference = found.results(found.reference)
    return [(args, expected_results(reference, args)) for args in found.calls(key)]


@lru_cache(maxsize=64)
def right_answers(source: str, digest: str, exercise: str) -> dict[str, Any]:
    """What running the code shows, for each question of an exercise judged by answers."""
    reference = load_rubric(source).exercise(exercise).reference
    assert reference is not None
    return reference()
