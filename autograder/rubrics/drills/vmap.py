"""Drills of the lesson `vmap`: axes that are mapped, pairs, and a branch for each row."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import LARGER, counts, large_table
from autograder.rubrics.drills._drill import make_drill, make_rubric, normals


def _draw_limits(rng: np.random.Generator) -> list[tuple]:
    def limits(n: int) -> np.ndarray:
        return rng.integers(1, 30, size=n).astype(np.float32)

    first = counts(rng, 5, 4)
    equal, large = np.full((5, 4), 7, np.float32), limits(LARGER[0])
    large[0] = 4000
    square = counts(rng, 4, 4)
    return [
        (first, limits(5)),
        (counts(rng, 5, 4), limits(5)),
        (equal, np.arange(5, 10, dtype=np.float32)),
        (square, limits(4)),
        (large_table(rng), large),
        (counts(rng, 1, 3), limits(1)),
        (first.copy(), limits(5)),
    ]


def _draw_rows(rng: np.random.Generator) -> list[tuple]:
    """Tables in which each row has a count above zero."""
    shapes = (5, 4), (5, 4), (3, 3), LARGER, (1, 1)
    drawn = [counts(rng, *shape) for shape in shapes]
    for table in drawn:
        table[:, -1] += rng.integers(1, 9, size=len(table))
    return [(table,) for table in (*drawn, np.full((5, 4), 3, np.float32), drawn[0].copy())]


def _all_pairs(counts: np.ndarray) -> np.ndarray:
    a, b = counts[:, None], counts[None]
    return np.abs(a - b).sum(axis=2) / (a + b).sum(axis=2)


def _draw_scales(rng: np.random.Generator) -> list[tuple]:
    first, again, large, one = normals(rng, (5, 4), (5, 4), LARGER, (1, 1))
    for x in (first, again, large):
        x[0], x[1, 0] = -abs(x[0]) / 9, 3.0
    first[2], first[2, -1] = 0.5, 1.0
    equal = np.full((5, 4), 2, np.float32)
    return [(x,) for x in (first, again, large, one, equal, first.copy())]


rubric = make_rubric(
    "vmap",
    make_drill(
        "counts_above",
        draws=_draw_limits,
        reference=lambda counts, limits: (counts > limits[:, None]).sum(axis=1),
    ),
    make_drill("all_pairs", draws=_draw_rows, reference=_all_pairs),
    make_drill(
        "scale_rows",
        draws=_draw_scales,
        reference=lambda x: x / np.maximum(x.max(axis=1, keepdims=True), 1),
    ),
)
