"""Drills of the lesson `named_tuple_carry`: named tuples that are replaced, carried and traced."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER
from autograder.rubrics.drills._drill import (
    PROGRAM,
    draw_series,
    draw_tables,
    make_drill,
    make_rubric,
)


def draw_fits(rng: np.random.Generator) -> list[tuple]:
    shapes = (60, 30), (60, 30), (LARGER[0], 40), (8, LARGER[1])
    first, other, long, wide = (rng.normal(size=shape).astype(np.float32) for shape in shapes)
    equal = np.full((60, 30), rng.normal(), np.float32)
    calls = [(first, 20), (other, 20), (equal, 20), (wide[:1], 1), (first.copy(), 420)]
    return [*calls, (long, 2), (wide, 2)]


def settle(target: np.ndarray, steps: int) -> np.ndarray:
    M = np.zeros_like(target)
    for _ in range(steps):
        M = M + target.dtype.type(0.1) * (target - M)
    return M


rubric = make_rubric(
    "named_tuple_carry",
    make_drill(
        "tally_up",
        "`_replace` changes nothing: it returns a new tuple. Use what it returns.",
        draws=draw_series,
        reference=lambda x: (x.sum(), np.maximum(x, 0).sum()),
    ),
    make_drill(
        "moments",
        "The carry goes in as a `Moments`, and must come back as one.",
        draws=draw_series,
        reference=lambda x: (x.sum(), (x**2).sum()),
    ),
    make_drill(
        "centre_taxa",
        "Under jit, a field is traced, also where it holds a plain number. `table.Y.shape` is not.",
        draws=draw_tables,
        reference=lambda Y: Y - Y.mean(axis=0),
    ),
    make_drill(
        "settle",
        "The body keeps the state of each step. What of it is used at the end?",
        draws=draw_fits,
        reference=settle,
        criteria=(*PROGRAM, "memory"),
        scratch=2**17,
        minutes=5,
        difficulty="medium",
    ),
)
