"""What all drills share: draws, and a point for each criterion that nobody counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.model.exercise import Difficulty, Exercise, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, Array, counts, large_table

PROGRAM = ("outputs", "purity", "compilations")
"""The criteria of a drill that repairs one function."""


def make_drill(
    name: str,
    *,
    criteria: tuple[str, ...] = PROGRAM,
    minutes: int = 2,
    difficulty: Difficulty = "",
    kind: type[Exercise] = ProgramExercise,
    **fields: Any,
) -> Exercise:
    """Return an exercise of the function `name`; the other fields are those of its kind."""
    if "memory" in fields:
        criteria = (*criteria, "memory")
    points = dict.fromkeys(criteria, 1)
    return kind(
        name=name,
        points=points,
        minutes=minutes,
        difficulty=difficulty,
        **fields,
    )


def make_rubric(lesson: str, *drills: Exercise) -> Rubric:
    """Return the drills of a lesson, in the order of the notebook."""
    return Rubric(lesson=lesson, exercises=drills, practice=True)


def normals(rng: np.random.Generator, *shapes: int | tuple[int, ...]) -> list[Array]:
    """Draw arrays of standard normal numbers, as float32."""
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


def uniforms(
    rng: np.random.Generator, low: float, high: float, *shapes: int | tuple[int, ...]
) -> list[Array]:
    """Draw arrays of numbers between two, as float32."""
    return [rng.uniform(low, high, size=shape).astype(np.float32) for shape in shapes]


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
    drawn = normals(rng, 6, LARGER[0], 1)
    return [(x,) for x in (*drawn, np.full(6, rng.normal(), np.float32), drawn[0].copy())]
