"""Drills of the lesson `tracing`: tracers have no numbers, and results are returned."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER, large_table
from autograder.rubrics.drills._drill import counts, make_drill, make_rubric


def draw_tables(rng: np.random.Generator) -> list[tuple]:
    first, equal = counts(rng, 5, 4), np.full((5, 4), rng.integers(1, 90), np.float32)
    return [(x,) for x in (first, equal, large_table(rng), counts(rng, 1), first.copy())]


def draw_offsets(rng: np.random.Generator) -> list[tuple]:
    first, equal = large_table(rng), np.full(LARGER, rng.integers(1, 90), np.float32)
    offsets = rng.uniform(0.5, 2, size=3).astype(np.float32) * (1, -1, 0)
    tables = first, first.copy(), equal
    return [(x, np.asarray(o, np.float32)) for x, o in zip(tables, offsets, strict=True)]


rubric = make_rubric(
    "tracing",
    make_drill(
        "log_counts",
        "NumPy needs numbers, and a tracer has none. `jax.numpy` has the same function.",
        draws=draw_tables,
        reference=lambda counts: np.log(counts + 1),
    ),
    make_drill(
        "largest_share",
        "Return the array. Whoever calls the function can make a float of it.",
        draws=draw_tables,
        reference=lambda counts: np.max(counts / counts.sum()),
    ),
    make_drill(
        "add_offset",
        "A pure function gets everything through its arguments: use `offset`.",
        draws=draw_offsets,
        reference=lambda counts, offset: np.log(counts + 1) + offset,
    ),
)
