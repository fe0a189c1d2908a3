"""Drills of the lesson `scan_fit`: the carry of a scan, and when its body is compiled."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Memory
from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import (
    draw_tables,
    make_drill,
    make_rubric,
    normals,
    uniforms,
)


def _draw_series(rng: np.random.Generator) -> list[tuple]:
    first, large, one = normals(rng, 6, LARGER[0], 1)
    return [(x,) for x in (first, np.ones(6, np.float32), large, one, first.copy())]


def smooth(x: np.ndarray) -> np.ndarray:
    """Exponential smoothing with one half, from 0 on."""
    value, values = x.dtype.type(0), []
    for one in x:
        value = (value + one) / 2
        values.append(value)
    return np.array(values)


def _draw_paths(rng: np.random.Generator) -> list[tuple]:
    first, large = uniforms(rng, 0.1, 0.9, (40, 30), (45, 35))
    equal = np.full((40, 30), 0.5, np.float32)
    return [(first, 10), (equal, 10), (first[:1, :1], 1), (first.copy(), 2), (large, 520)]


def _average_growth(x: np.ndarray, steps: int) -> np.ndarray:
    total = np.zeros_like(x)
    for _ in range(steps):
        x = x + x.dtype.type(0.1) * x * (1 - x)
        total = total + x
    return total / steps


rubric = make_rubric(
    "scan_fit",
    make_drill("smooth", draws=_draw_series, reference=smooth),
    make_drill("total_by_taxon", draws=draw_tables, reference=lambda Y: Y.sum(axis=0)),
    make_drill(
        "average_growth",
        draws=_draw_paths,
        reference=_average_growth,
        minutes=3,
        difficulty="medium",
        memory=Memory(scratch=2**17),
    ),
)
