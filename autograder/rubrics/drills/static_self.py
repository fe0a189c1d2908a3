"""Drills of the lesson `static_self`: keys that are new each time, or the same too often."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.model.exercise import BehaviourExercise, Compilations, Exercise
from autograder.rubrics._draws import LARGER, counts
from autograder.rubrics.drills._drill import draw_tables, make_drill, make_rubric


def _draw_factors(rng: np.random.Generator) -> list[tuple]:
    return [(Y, np.float32(rng.uniform(0.5, 2))) for (Y,) in draw_tables(rng)]


def draw_caps(rng: np.random.Generator) -> list[tuple]:
    """One cap for each shape, so that a static cap is right, too."""
    first, equal, large, one, again = (Y for (Y,) in draw_tables(rng))
    calls = [(first, 8.0), (counts(rng, 5, 4), 8.0), (large, 20.0), (equal, 8.0), (one, 1e4)]
    return [*calls, (again, 8.0)]


def _draw_ridges(rng: np.random.Generator) -> list[tuple]:
    ridges = (0.5, 1.5, 4.0, float(rng.uniform(2e5, 4e5)))
    calls = [(rng.normal(size=LARGER).astype(np.float32), ridge) for ridge in ridges]
    return [*calls, (calls[0][0].copy(), 9.0), (np.ones(LARGER, np.float32), 0.0)]


def make_object_drill(name: str, **fields: Any) -> Exercise:
    """Return a drill whose calls follow each other in one process, with the objects they make."""
    return make_drill(
        name,
        kind=BehaviourExercise,
        permits=("leaked-tracer",),
        **fields,
    )


rubric = make_rubric(
    "static_self",
    make_object_drill(
        "scaled_total", draws=_draw_factors, reference=lambda Y, factor: (Y * factor).sum()
    ),
    make_object_drill(
        "capped_mean",
        draws=draw_caps,
        reference=lambda Y, cap: np.minimum(Y, Y.dtype.type(cap)).mean(),
    ),
    make_object_drill(
        "penalty_of",
        draws=_draw_ridges,
        reference=lambda B, ridge: B.dtype.type(ridge) / 2 * np.sum(B**2),
        compilations=Compilations(budget=1),
    ),
)
