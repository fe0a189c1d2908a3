"""What all drills share: one hint for all criteria, and a point each that nobody counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.model.exercise import Difficulty, Exercise, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, Array, large_table

PROGRAM = ("outputs", "purity", "compilations")
"""The criteria of a drill that repairs one function."""


def make_drill(
    name: str,
    hint: str,
    *,
    criteria: tuple[str, ...] = PROGRAM,
    minutes: int = 2,
    difficulty: Difficulty = "",
    kind: type[Exercise] = ProgramExercise,
    **fields: Any,
) -> Exercise:
    """Return an exercise of the function `name`; the other fields are those of its kind."""
    return kind(
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


def draw_tables(rng: np.random.Generator) -> list[tuple]:
    """Draw tables: one twice, one of equal counts, one larger than the oaks, one count."""
    first, equal = counts(rng, 5, 4), np.full((5, 4), rng.integers(1, 9), np.float32)
    return [(Y,) for Y in (first, equal, large_table(rng), counts(rng, 1, 1), first.copy())]


def draw_sites(rng: np.random.Generator) -> list[Array]:
    """Draw counts of single sites, as `draw_tables` does tables."""
    drawn = [counts(rng, n) for n in (6, LARGER[0], 1)]
    drawn[1][-1] = rng.integers(3000, 9000)
    return [*drawn, np.full(6, rng.integers(1, 9), np.float32), drawn[0].copy(), counts(rng, 6)]


def draw_series(rng: np.random.Generator) -> list[tuple]:
    """Draw normal numbers: several, one, many, all equal, and the first again."""
    drawn = [rng.normal(size=n).astype(np.float32) for n in (6, LARGER[0], 1)]
    return [(x,) for x in (*drawn, np.full(6, rng.normal(), np.float32), drawn[0].copy())]
