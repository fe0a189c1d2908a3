"""Drills of the lesson `tracing`: tracers have no numbers, and results are returned."""

from __future__ import annotations

import numpy as np

from autograder.rubrics.drills._drill import counts, make_drill, make_rubric


def draw_tables(rng: np.random.Generator) -> list[tuple]:
    return [(counts(rng, 5, 4),), (counts(rng, 5, 4),), (counts(rng, 7),)]


def log_counts(counts: np.ndarray) -> np.ndarray:
    return np.log(counts + 1)


def largest_share(counts: np.ndarray) -> np.ndarray:
    return np.max(counts / counts.sum())


def draw_offsets(rng: np.random.Generator) -> list[tuple]:
    return [(counts(rng, 5, 4), rng.normal(size=()).astype(np.float32)) for _ in range(3)]


def add_offset(counts: np.ndarray, offset: np.ndarray) -> np.ndarray:
    return np.log(counts + 1) + offset


rubric = make_rubric(
    "tracing",
    make_drill(
        "log_counts",
        "NumPy needs numbers, and a tracer has none. `jax.numpy` has the same function.",
        draws=draw_tables,
        reference=log_counts,
    ),
    make_drill(
        "largest_share",
        "Return the array. Whoever calls the function can make a float of it.",
        draws=draw_tables,
        reference=largest_share,
    ),
    make_drill(
        "add_offset",
        "A pure function gets everything through its arguments: use `offset`.",
        draws=draw_offsets,
        reference=add_offset,
    ),
)
