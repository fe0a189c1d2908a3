"""Drills of the lesson `tracing`: tracers have no numbers, and results are returned."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER, counts, large_table
from autograder.rubrics.drills._drill import make_drill, make_rubric


def _draw_tables(rng: np.random.Generator) -> list[tuple]:
    first, equal = counts(rng, 5, 4), np.full((5, 4), rng.integers(1, 90), np.float32)
    return [(x,) for x in (first, equal, large_table(rng), counts(rng, 1), first.copy())]


def _draw_offsets(rng: np.random.Generator) -> list[tuple]:
    first, equal = large_table(rng), np.full(LARGER, rng.integers(1, 90), np.float32)
    offsets = rng.uniform(0.5, 2, size=3).astype(np.float32) * (1, -1, 0)
    tables = first, first.copy(), equal
    return [(x, np.asarray(o, np.float32)) for x, o in zip(tables, offsets, strict=True)]


rubric = make_rubric(
    "tracing",
    make_drill("log_counts", draws=_draw_tables, reference=lambda counts: np.log(counts + 1)),
    make_drill(
        "largest_share", draws=_draw_tables, reference=lambda counts: np.max(counts / counts.sum())
    ),
    make_drill(
        "add_offset",
        draws=_draw_offsets,
        reference=lambda counts, offset: np.log(counts + 1) + offset,
    ),
)
