"""Drills of the lesson `named_tuple_carry`: named tuples that are replaced, carried and traced."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Memory
from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import (
    draw_series,
    draw_tables,
    make_drill,
    make_rubric,
    normals,
)


def _draw_fits(rng: np.random.Generator) -> list[tuple]:
    first, other, long, wide = normals(rng, (60, 30), (60, 30), (LARGER[0], 40), (8, LARGER[1]))
    equal = np.full((60, 30), rng.normal(), np.float32)
    calls = [(first, 20), (other, 20), (equal, 20), (wide[:1], 1), (first.copy(), 420)]
    return [*calls, (long, 2), (wide, 2)]


def _settle(target: np.ndarray, steps: int) -> np.ndarray:
    M = np.zeros_like(target)
    for _ in range(steps):
        M = M + target.dtype.type(0.1) * (target - M)
    return M


rubric = make_rubric(
    "named_tuple_carry",
    make_drill(
        "tally_up", draws=draw_series, reference=lambda x: (x.sum(), np.maximum(x, 0).sum())
    ),
    make_drill("moments", draws=draw_series, reference=lambda x: (x.sum(), (x**2).sum())),
    make_drill("centre_taxa", draws=draw_tables, reference=lambda Y: Y - Y.mean(axis=0)),
    make_drill(
        "settle",
        draws=_draw_fits,
        reference=_settle,
        minutes=5,
        difficulty="medium",
        memory=Memory(scratch=2**17),
    ),
)
