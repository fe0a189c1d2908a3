"""What all drills share: one hint for all criteria, and a point each that nobody counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.core.rubric import Difficulty, Exercise, Rubric

PROGRAM = ("outputs", "purity", "compilations")
"""The criteria of a drill that repairs one function."""


def make_drill(
    name: str,
    hint: str,
    *,
    criteria: tuple[str, ...] = PROGRAM,
    minutes: int = 2,
    difficulty: Difficulty = "",
    **fields: Any,
) -> Exercise:
    """Return an exercise of the function `name`; the other fields are those of `Exercise`."""
    return Exercise(
        name=name,
        points=dict.fromkeys(criteria, 1),
        hints=dict.fromkeys(criteria, (hint,)),
        minutes=minutes,
        difficulty=difficulty,
        **fields,
    )


def make_rubric(lesson: str, *drills: Exercise) -> Rubric:
    """Return the drills of a lesson, in the order of the notebook."""
    return Rubric(lesson=lesson, exercises=drills, practice=True)


def counts(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Draw counts of fungi, with a zero, as float32."""
    drawn = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
    drawn.flat[0] = 0.0
    drawn.flat[-1] = rng.integers(2, 90)
    return drawn
