"""Drills of the lesson `loop_gradients`: loops of fixed length, a cotangent, what is kept."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Loop, Memory
from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import make_drill, make_rubric, uniforms


def _draw_growth(rng: np.random.Generator) -> list[tuple]:
    first, other, many, one = uniforms(rng, 0.1, 0.9, 4, 4, LARGER[0], 1)
    equal = np.full_like(first, 0.5)
    return [(first, 6), (other, 6), (equal, 6), (many, 9), (one, 1), (first.copy(), 120)]


def _growth_slope(x: np.ndarray, steps: int) -> np.ndarray:
    slope = np.ones_like(x)
    for _ in range(steps):
        slope = slope * (x.dtype.type(1.1) - x.dtype.type(0.2) * x)
        x = x + x.dtype.type(0.1) * x * (1 - x)
    return slope


def _draw_cubes(rng: np.random.Generator) -> list[tuple]:
    calls = [(*uniforms(rng, 0.5, 9, n), *uniforms(rng, 1, 3, n)) for n in (5, 5, LARGER[0], 1)]
    a, weights = calls[0]
    return [*calls, (a.copy(), np.full_like(a, 0.5)), (np.full_like(a, 0.1), weights.copy())]


def _draw_drifts(rng: np.random.Generator) -> list[tuple]:
    first, other, large, one = uniforms(rng, 0.2, 1.5, (40, 30), (40, 30), LARGER, (1, 1))
    calls = [(first, 20), (other, 20), (np.full_like(first, 0.5), 20), (large, 3), (one, 1)]
    return [*calls, (first.copy(), 210)]


def _drift_slope(x: np.ndarray, steps: int) -> np.ndarray:
    slope, rate = np.ones_like(x), x.dtype.type(0.1)
    for _ in range(steps):
        inner = np.exp(-x * x)
        slope = slope * (1 - 2 * rate * x * inner * np.cos(inner))
        x = x + rate * np.sin(inner)
    return slope


rubric = make_rubric(
    "loop_gradients",
    make_drill(
        "growth_slope",
        draws=_draw_growth,
        reference=_growth_slope,
        loop=Loop(1),
    ),
    make_drill(
        "cube_root_slope",
        draws=_draw_cubes,
        reference=lambda a, weights: weights / (3 * np.cbrt(a) ** 2),
    ),
    make_drill(
        "drift_slope",
        draws=_draw_drifts,
        reference=_drift_slope,
        loop=Loop(1),
        memory=Memory(scratch=2**21),
    ),
)
