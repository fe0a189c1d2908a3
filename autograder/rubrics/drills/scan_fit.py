"""Drills of the lesson `scan_fit`: the carry of a scan, and when its body is compiled."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import PROGRAM, draw_tables, make_drill, make_rubric


def draw_series(rng: np.random.Generator) -> list[tuple]:
    first, large, one = (rng.normal(size=n).astype(np.float32) for n in (6, LARGER[0], 1))
    return [(x,) for x in (first, np.ones(6, np.float32), large, one, first.copy())]


def smooth(x: np.ndarray) -> np.ndarray:
    """Exponential smoothing with one half, from 0 on."""
    value, values = x.dtype.type(0), []
    for one in x:
        value = (value + one) / 2
        values.append(value)
    return np.array(values)


def draw_growth(rng: np.random.Generator) -> list[tuple]:
    first = rng.uniform(0.1, 0.9, size=4).astype(np.float32)
    equal, large = np.full(4, 0.5, np.float32), rng.uniform(0.1, 0.9, size=130).astype(np.float32)
    return [(first, 12), (equal, 12), (large, 130), (first[:1], 1), (first.copy(), 130)]


def grow(x: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        x = x + x.dtype.type(0.1) * x * (1 - x)
    return x


def draw_paths(rng: np.random.Generator) -> list[tuple]:
    first, large = (rng.uniform(0.1, 0.9, size=s).astype(np.float32) for s in ((40, 30), (45, 35)))
    equal = np.full((40, 30), 0.5, np.float32)
    return [(first, 10), (equal, 10), (first[:1, :1], 1), (first.copy(), 2), (large, 520)]


def average_growth(x: np.ndarray, steps: int) -> np.ndarray:
    total = np.zeros_like(x)
    for _ in range(steps):
        x = x + x.dtype.type(0.1) * x * (1 - x)
        total = total + x
    return total / steps


rubric = make_rubric(
    "scan_fit",
    make_drill(
        "smooth",
        "The body of a scan returns a pair: what is carried on, and what is kept.",
        draws=draw_series,
        reference=smooth,
    ),
    make_drill(
        "total_by_taxon",
        "The carry must have the same shape before and after a step. What is the shape of a row?",
        draws=draw_tables,
        reference=lambda Y: Y.sum(axis=0),
    ),
    make_drill(
        "grow",
        "Outside of jit, a scan with a new body function is compiled at each call. Jit the whole, "
        "with `steps` static.",
        draws=draw_growth,
        reference=grow,
        iterations=1,
    ),
    make_drill(
        "average_growth",
        "The average needs the sum so far, and not the states before: carry it along.",
        draws=draw_paths,
        reference=average_growth,
        criteria=(*PROGRAM, "memory"),
        scratch=2**17,
        minutes=5,
        difficulty="medium",
    ),
)
