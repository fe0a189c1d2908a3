"""Drills of the lesson `static_reshape`: sizes that Python must know."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Comparison, Compilations, Loop
from autograder.rubrics._draws import LARGER
from autograder.rubrics._tables import describe, draw_table, first_wrong, same
from autograder.rubrics.drills._drill import make_drill, make_rubric, normals


def _draw_blocks(rng: np.random.Generator) -> list[tuple]:
    x, large = normals(rng, 12, 260)
    equal = np.full(12, rng.normal(), np.float32)
    return [(x, 3), (x.copy(), 4), (equal, 3), (large, 130), (x[:8], 8), (x[:8], 1), (x[:1], 1)]


def _draw_groups(rng: np.random.Generator) -> list[tuple]:
    def draw(n: int, most: int) -> np.ndarray:
        return rng.integers(0, most, n, dtype=np.int32)

    return [
        (draw(9, 4), 6),
        (draw(9, 60), 6),
        (np.arange(9, 0, -1, dtype=np.int32), 3),
        (np.full(9, rng.integers(9), np.int32), 6),
        (draw(1, 2), 4),
        (draw(900, 500), 130),
        (np.arange(9, 0, -1, dtype=np.int32), 6),
    ]


def _list_groups(group: np.ndarray, size: int) -> np.ndarray:
    found = np.unique(group)[:size]
    return np.pad(found, (0, size - len(found)), constant_values=-1)


ONE_TABLE = (
    "it must return one array with a row for each of the {groups} groups and a column for each of "
    "the {p} taxa, of shape ({groups}, {p}). It returned {got}."
)
EMPTY_GROUP = (
    "group {group} has no leaves, and its mean is {got}, expected 0: 0 / 0 is NaN. Divide by "
    "`jnp.maximum(leaves, 1)`, where `leaves` is the number of leaves in each group."
)
SUMS = (
    "in group {group}, taxon {at}: {got:g} is the sum over the group's leaves, expected their "
    "mean, {right:g}. Divide by the number of leaves in each group."
)
GROUP = "in group {group}, taxon {at}: the mean is {got:g}, expected {right:g}."


def groupings(rng: np.random.Generator) -> list[tuple]:
    """Leaves in groups, in any order, one group without leaves; one group; one leaf; many."""

    def data(n: int, p: int, groups: int, without: int) -> tuple[np.ndarray, np.ndarray, int]:
        used = [k for k in range(groups) if k != without]
        group = rng.permutation(np.resize(np.array(used[::-1], np.int32), n))
        return draw_table(rng, n, p), group, groups

    shapes = [(9, 3, 4, 1), (9, 3, 4, 3), (4, 2, 1, 9), (1, 1, 2, 0), (*LARGER, 300, 5)]
    calls = [data(*shape) for shape in shapes]
    return [*calls, (calls[0][0].copy(), *data(9, 3, 6, 0)[1:])]


def compare_means(args: tuple, got: list[np.ndarray]) -> str | None:
    """The mean of each group's rows; 0 for a group without rows."""
    counts, group, groups = args
    p = counts.shape[1]
    if [leaf.shape for leaf in got] != [(groups, p)]:
        return ONE_TABLE.format(groups=groups, p=p, got=describe(got))
    member = (group == np.arange(groups)[:, None]).astype(np.float64)
    sums, number = member @ counts.astype(np.float64), member.sum(axis=1)
    right = sums / np.maximum(number, 1)[:, None]
    if same(got[0], right).all():
        return None
    at = first_wrong(got[0], right)
    text = SUMS if same(got[0], sums).all() else GROUP
    text = text if number[at[0]] or np.isfinite(got[0][at]) else EMPTY_GROUP
    return text.format(group=at[0], at=at[1], got=float(got[0][at]), right=right[at])


rubric = make_rubric(
    "static_reshape",
    make_drill(
        "block_means",
        draws=_draw_blocks,
        reference=lambda x, width: x.reshape(-1, width).mean(axis=1),
    ),
    make_drill("list_groups", draws=_draw_groups, reference=_list_groups),
    make_drill(
        "group_means",
        draws=groupings,
        reference=Comparison(compare_means, paths=("",)),
        loop=Loop(2),
        compilations=Compilations(one_function=True),
    ),
)
