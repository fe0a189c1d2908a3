"""Drills of the lesson `static_branch`: what may be static, and which argument is."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations
from autograder.rubrics._draws import LARGER, counts, large_table
from autograder.rubrics.drills._drill import make_drill, make_rubric


def _draw_degrees(rng: np.random.Generator) -> list[tuple]:
    calls = []
    for n, degree in ((6, 3), (1, 1), (LARGER[0], int(rng.integers(9, 16))), (6, 3)):
        x = rng.uniform(-1, 1, n).astype(np.float32)
        x[:2] = (0.0, 1.0)[:n]  # where the closed form divides by 0
        calls.append((x, degree))
    calls[-1][0][:] = rng.uniform(-1, 1)
    return calls


def _sum_powers(x: np.ndarray, degree: int) -> np.ndarray:
    total = np.zeros_like(x)
    for k in range(1, degree + 1):
        total = total + x**k
    return total


def _draw_units(rng: np.random.Generator) -> list[tuple]:
    equal = np.full((5, 4), rng.integers(1, 90), np.float32)
    tables = [counts(rng, 5, 4), equal, large_table(rng), counts(rng, 1)]
    return [(table, unit) for table in tables for unit in ("share", "count")]


def _draw_flags(rng: np.random.Generator) -> list[tuple]:
    equal = np.full((5, 4), rng.integers(1, 90), np.float32)
    tables = counts(rng, 5, 4), counts(rng, 5, 4), equal, large_table(rng), counts(rng, 1)
    return list(zip(tables, (True, False, True, False, True), strict=True))


def _draw_powers(rng: np.random.Generator) -> list[tuple]:
    powers = (0, 2, 1, -1, int(rng.integers(7, 9)), 0)
    equal = np.full(LARGER, rng.integers(1, 90), np.float32)
    return [(large_table(rng), power) for power in powers] + [(equal, 2)]


def _frugal_box_cox(counts: np.ndarray, power: int) -> np.ndarray:
    return np.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power


rubric = make_rubric(
    "static_branch",
    make_drill("sum_powers", draws=_draw_degrees, reference=_sum_powers),
    make_drill(
        "rescale",
        draws=_draw_units,
        reference=lambda counts, unit: counts / counts.sum() if unit == "share" else counts,
    ),
    make_drill(
        "soften",
        draws=_draw_flags,
        reference=lambda counts, root: np.sqrt(counts) if root else np.log(counts + 1),
    ),
    make_drill(
        "frugal_box_cox",
        draws=_draw_powers,
        reference=_frugal_box_cox,
        minutes=4,
        difficulty="hard",
        importance=1,
        compilations=Compilations(budget=2),
    ),
)
