"""Drills of the lesson `recompile_hunt`: new functions, and values in the key."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations
from autograder.rubrics._draws import LARGER, counts
from autograder.rubrics.drills._drill import draw_tables, make_drill, make_rubric


def _draw_shifts(rng: np.random.Generator) -> list[tuple]:
    shifts = (0.5, 1.5, -2.0, float(rng.normal()))
    calls = [(counts(rng, LARGER[0]), shift) for shift in shifts]
    return [*calls, (calls[0][0].copy(), 0.0), (np.full_like(calls[0][0], 3), 2.5)]


rubric = make_rubric(
    "recompile_hunt",
    make_drill(
        "standardise", draws=draw_tables, reference=lambda Y: (Y - Y.mean()) / (Y.std() + 1)
    ),
    make_drill("sum_of_logs", draws=draw_tables, reference=lambda Y: np.log(Y + 1).sum()),
    make_drill(
        "shift_all",
        draws=_draw_shifts,
        reference=lambda y, by: np.log(y + 1) + by,
        compilations=Compilations(budget=1),
    ),
)
