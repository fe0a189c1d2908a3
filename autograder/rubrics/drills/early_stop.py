"""Drills of the lesson `early_stop`: loops whose length depends on data."""

from __future__ import annotations

import math

import numpy as np

from autograder.model.exercise import Compilations
from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import make_drill, make_rubric, normals


def _draw_numbers(rng: np.random.Generator) -> list[tuple]:
    numbers = (0.3, 1.0, 8.0, rng.uniform(20, 900), rng.uniform(1e6, 1e9), 8.0)
    return [(np.float32(number),) for number in numbers]


def count_halvings(x: np.ndarray) -> np.ndarray:
    """How often x must be halved until it is at most 1."""
    return np.asarray(max(0, math.ceil(math.log2(x))))


def _draw_steps(rng: np.random.Generator) -> list[tuple]:
    steps = 3, 0, rng.integers(4, 9), 13, 1
    drawn = normals(rng, 5, 5, 5, LARGER[0], 1)
    calls = [(x, np.int32(n)) for x, n in zip(drawn, steps, strict=True)]
    return [*calls, (calls[0][0].copy(), np.int32(1)), (np.full(5, 2.0, np.float32), np.int32(2))]


def _shrink(x: np.ndarray, steps: np.ndarray) -> np.ndarray:
    for i in range(int(steps)):
        x = x / (i + 2)
    return x


def _draw_tolerances(rng: np.random.Generator) -> list[tuple]:
    tolerances = (0.5, 0.01, 0.1, float(rng.uniform(0.02, 0.4)), 8.0)
    calls = [(rng.uniform(1, 5, size=130).astype(np.float32), t) for t in tolerances]
    return [*calls, (np.full(130, 2.0, np.float32), 0.1), (calls[0][0].copy(), 0.3)]


def _average_until(x: np.ndarray, tolerance: float) -> np.ndarray:
    while np.max(x) - np.min(x) > tolerance:
        x = (x + np.mean(x)) / 2
    return x


rubric = make_rubric(
    "early_stop",
    make_drill("count_halvings", draws=_draw_numbers, reference=count_halvings),
    make_drill("shrink", draws=_draw_steps, reference=_shrink),
    make_drill(
        "average_until",
        draws=_draw_tolerances,
        reference=_average_until,
        compilations=Compilations(budget=1),
    ),
)
