"""Lesson `data_sizes`: boolean masks, `where=`, `nonzero(size=)`, segment sums, no selection."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Comparison, Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER


def _table(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Counts with a zero and a taxon that is on every leaf."""
    table = rng.poisson(rng.gamma(0.8, 15.0, size=(n, p))).astype(np.float32)
    table[:, -1] += 3.0
    table[0, 0] = 0.0
    return table


def _same(got: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.isclose(got.astype(np.float64), right, rtol=1e-5, atol=1e-5)


def _first_wrong(got: np.ndarray, right: np.ndarray) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argwhere(~_same(got, right))[0])


def _describe(leaves: list[np.ndarray]) -> str:
    shapes = [str(leaf.shape) for leaf in leaves]
    return f"{len(shapes)} array{'' if len(shapes) == 1 else 's'} of shape {', '.join(shapes)}"


TWO_ARRAYS = (
    "it must return two arrays with a number for each taxon, the mean and the smallest count. With "
    "{p} taxa, both have shape ({p},). It returned {got}."
)
EMPTY_MEAN = (
    "no leaf is chosen, and the mean is {got}, expected 0. The number of chosen leaves is 0, and "
    "0 / 0 is NaN: divide by `jnp.maximum(n, 1)`, or put the 0 in afterwards with `jnp.where`."
)
EMPTY_SMALLEST = (
    "no leaf is chosen, and the smallest count is {got:g}, expected 0. The minimum of nothing is "
    "the number that it starts from. Put the 0 in afterwards: "
    "`jnp.where(chosen.any(), smallest, 0)`."
)
ALL_LEAVES = (
    "the mean of taxon {at} is {got:g}, expected {right:g}. That is the sum over the chosen "
    "leaves, divided by all {n} leaves: divide by the number of chosen ones, `chosen.sum()`."
)
NO_MASK = "the {what} of taxon {at} is {got:g}, which is that of all leaves, expected {right:g}."
ZEROS_COUNT = (
    "the smallest count of taxon {at} is 0, expected {right:g}. The zeros that stand for the other "
    "leaves are counted too. In a minimum, a leaf that must not count needs a value that is never "
    "the smallest: `jnp.inf`."
)
WRONG = "the {what} of taxon {at} is {got:g}, expected {right:g}."


def masks(rng: np.random.Generator) -> list[tuple]:
    """Tables, with some, one, none and all of the leaves chosen; a taxon of large counts.

    One table comes with two masks, and one is larger than the oaks.
    """

    def data(n: int, p: int, *leaves: int) -> tuple[np.ndarray, np.ndarray]:
        chosen = np.zeros(n, bool)
        chosen[list(leaves)] = True
        return _table(rng, n, p), chosen

    large, some = data(4, 1, 1, 3)
    first, three = data(7, 4, *rng.choice(np.arange(1, 7), 3, replace=False))
    return [
        (first, three),
        (first.copy(), data(7, 4, int(rng.integers(1, 7)))[1]),
        data(7, 4),
        data(7, 4, *range(7)),
        data(*LARGER, *rng.choice(np.arange(1, LARGER[0]), 40, replace=False), LARGER[0] - 1),
        data(1, 1),
        (5000 * large, some),
    ]


def compare_summaries(args: tuple, got: list[np.ndarray]) -> str | None:
    """Mean and minimum of the chosen rows; 0 where there are none."""
    counts, chosen = args[0].astype(np.float64), args[1]
    n, p = counts.shape
    if [leaf.shape for leaf in got] != [(p,), (p,)]:
        return TWO_ARRAYS.format(p=p, got=_describe(got))
    if not chosen.any():
        for leaf, text in zip(got, (EMPTY_MEAN, EMPTY_SMALLEST), strict=True):
            if not _same(leaf, np.zeros(p)).all():
                return text.format(got=float(leaf[_first_wrong(leaf, np.zeros(p))]))
        return None
    rows = counts[chosen]
    rights = (rows.mean(axis=0), counts.mean(axis=0)), (rows.min(axis=0), counts.min(axis=0))
    for what, leaf, (right, of_all) in zip(("mean", "smallest count"), got, rights, strict=True):
        if _same(leaf, right).all():
            continue
        at = _first_wrong(leaf, right)
        words = {"what": what, "at": at[0], "got": float(leaf[at]), "right": right[at], "n": n}
        if what == "mean" and _same(leaf, rows.sum(axis=0) / n).all():
            return ALL_LEAVES.format(**words)
        if _same(leaf, of_all).all():
            return NO_MASK.format(**words)
        if what != "mean" and leaf[at] == 0:
            return ZEROS_COUNT.format(**words)
        return WRONG.format(**words)
    return None


PAIR = (
    "it must return two things: the indices, an array of length {size}, and how many taxa were "
    "seen, one number. It returned {got}."
)
NO_INTEGERS = "the indices are {dtype}, expected integers."
ZERO_FILL = (
    "{seen} taxa were seen, and the places that are left over hold 0. That is the index of a taxon "
    "too: nobody can tell it apart. Fill up with -1 instead: `fill_value=-1`."
)
INDICES = "the indices are {got}, expected {right}."
NUMBER = "the number of seen taxa is {got}, expected {right}.{hint}"
COUNTS_PLACES = (
    " That counts places in the array of indices, which has {size} of them however many taxa were "
    "seen: the caller never notices that some are missing. Count the taxa themselves, "
    "`(counts > 0).sum()`."
)


def leaves(rng: np.random.Generator) -> list[tuple]:
    """One leaf's counts: more seen than there is room for, fewer, none, all; size above p; long.

    One leaf comes with two sizes.
    """

    def leaf(p: int, seen: int) -> np.ndarray:
        counts = np.zeros(p, np.float32)
        counts[rng.choice(p, seen, replace=False)] = rng.integers(1, 90, size=seen)
        return counts

    sizes = [(9, 6, 4), (9, 3, 4), (9, 0, 4), (5, 5, 5), (1, 1, 3)]
    calls = [(leaf(p, seen), size) for p, seen, size in sizes]
    calls.insert(3, (calls[1][0].copy(), 12))
    long = np.concatenate([np.zeros(2000, np.float32), leaf(160, 150)])
    return [*calls, (long, 140)]


def compare_seen(args: tuple, got: list[np.ndarray]) -> str | None:
    """The first `size` indices, filled up with -1, and the number of all."""
    counts, size = args
    if [leaf.shape for leaf in got] != [(size,), ()]:
        return PAIR.format(size=size, got=_describe(got))
    seen = np.flatnonzero(counts > 0)
    right = np.append(seen, np.full(size, -1))[:size]
    indices, number = got
    if not np.issubdtype(indices.dtype, np.integer):
        return NO_INTEGERS.format(dtype=indices.dtype)
    if not np.array_equal(indices, right):
        zeros = np.array_equal(indices, np.where(right < 0, 0, right))
        text = ZERO_FILL if zeros else INDICES
        return text.format(seen=len(seen), got=indices.tolist(), right=right.tolist())
    if number != len(seen):
        places = number in (size, min(size, len(seen)))
        hint = COUNTS_PLACES.format(size=size) if places else ""
        return NUMBER.format(got=number.item(), right=len(seen), hint=hint)
    return None


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
        return _table(rng, n, p), group, groups

    shapes = [(9, 3, 4, 1), (9, 3, 4, 3), (4, 2, 1, 9), (1, 1, 2, 0), (*LARGER, 300, 5)]
    calls = [data(*shape) for shape in shapes]
    return [*calls, (calls[0][0].copy(), *data(9, 3, 6, 0)[1:])]


def compare_means(args: tuple, got: list[np.ndarray]) -> str | None:
    """The mean of each group's rows; 0 for a group without rows."""
    counts, group, groups = args
    p = counts.shape[1]
    if [leaf.shape for leaf in got] != [(groups, p)]:
        return ONE_TABLE.format(groups=groups, p=p, got=_describe(got))
    member = (group == np.arange(groups)[:, None]).astype(np.float64)
    sums, number = member @ counts.astype(np.float64), member.sum(axis=1)
    right = sums / np.maximum(number, 1)[:, None]
    if _same(got[0], right).all():
        return None
    at = _first_wrong(got[0], right)
    text = SUMS if _same(got[0], sums).all() else GROUP
    text = text if number[at[0]] or np.isfinite(got[0][at]) else EMPTY_GROUP
    return text.format(group=at[0], at=at[1], got=float(got[0][at]), right=right[at])


rubric = Rubric(
    lesson="data_sizes",
    learned="boolean masks, `where=`, `nonzero(size=)`, segment sums; what nothing sums up to",
    minutes=30,
    exercises=(
        ProgramExercise(
            name="data_sizes",
            minutes=6,
            difficulty="easy",
            entry_points=("summarize",),
            draws=masks,
            points={"outputs": 3, "purity": 1, "compilations": 1},
            reference=Comparison(compare_summaries, paths=("[0]", "[1]")),
            compilations=Compilations(one_function=True),
        ),
        ProgramExercise(
            name="data_sizes_seen",
            minutes=6,
            difficulty="medium",
            entry_points=("seen_taxa",),
            draws=leaves,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            reference=Comparison(compare_seen, paths=("[0]", "[1]")),
            compilations=Compilations(one_function=True),
        ),
        ProgramExercise(
            name="data_sizes_groups",
            minutes=7,
            difficulty="medium",
            entry_points=("group_means",),
            draws=groupings,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            reference=Comparison(compare_means, paths=("",)),
            loop=Loop(2),
            compilations=Compilations(one_function=True),
        ),
    ),
)
