"""Drills of the lesson `data_sizes`: sums over a mask, padded results, repeats."""

from __future__ import annotations

import numpy as np

from autograder.rubrics._draws import counts, large_table
from autograder.rubrics.drills._drill import make_drill, make_rubric, uniforms


def draw_leaves(rng: np.random.Generator) -> list[tuple]:
    """Counts of one leaf, among them zeros; a leaf without any."""
    few = counts(rng, 8) * rng.permutation(np.arange(8) % 2).astype(np.float32)
    leaves = counts(rng, 8), few, np.zeros(8, np.float32), large_table(rng)[-1], counts(rng, 1)
    return [(y,) for y in (*leaves, few.copy())]


def _draw_groups(rng: np.random.Generator) -> list[tuple]:
    def draw(n: int, most: int) -> np.ndarray:
        return rng.integers(0, most, n, dtype=np.int32)

    return [
        (draw(9, 4), 6),
        (draw(9, 9), 6),
        (np.arange(9, 0, -1, dtype=np.int32), 3),
        (np.full(9, rng.integers(9), np.int32), 6),
        (draw(1, 2), 4),
        (draw(900, 500), 130),
        (np.arange(9, 0, -1, dtype=np.int32), 6),
    ]


def _list_groups(group: np.ndarray, size: int) -> np.ndarray:
    found = np.unique(group)[:size]
    return np.pad(found, (0, size - len(found)), constant_values=-1)


def draw_trees(rng: np.random.Generator) -> list[tuple]:
    """Depths of trees and their numbers of leaves, among them 0."""
    calls = []
    for n, total in ((4, 9), (4, 9), (4, 6), (3, 7), (130, 300)):
        leaves = rng.multinomial(total, np.full(n - 1, 1 / (n - 1)))
        leaves = np.insert(leaves, rng.integers(n), 0).astype(np.int32)
        calls.append((rng.uniform(1, 9, n).astype(np.float32), leaves, total))
    one, equal = np.full(1, 6, np.int32), np.full(4, 2, np.int32)
    return [*calls, (*uniforms(rng, 1, 9, 1), one, 6), (calls[0][0].copy(), equal, 8)]


rubric = make_rubric(
    "data_sizes",
    make_drill(
        "log_total", draws=draw_leaves, reference=lambda y: np.log(y[y > 0]).sum(dtype=y.dtype)
    ),
    make_drill("list_groups", draws=_draw_groups, reference=_list_groups),
    make_drill(
        "depth_of_leaves",
        draws=draw_trees,
        reference=lambda depths, leaves, total: np.repeat(depths, leaves),
    ),
)
