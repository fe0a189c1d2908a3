"""Lesson `static_reshape`: sizes are decided without the data: shapes, masks, `size=`."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Comparison, Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, counts
from autograder.rubrics._tables import describe, draw_table, first_wrong, same


def draws(rng: np.random.Generator) -> list[tuple]:
    """Tables of one axis to four, zeros in most of them; one has more cells than the oaks."""

    first, equal = counts(rng, 4, 3, least=1), np.full((4, 3), rng.integers(1, 90), np.float32)
    others = [counts(rng, *s, least=1) for s in ((3, 2, 4), (1, 1), (13500,), (2, 1, 3, 2))]
    return [(table,) for table in (first, equal, *others, first.copy())]


def rank_abundance(counts: np.ndarray) -> np.ndarray:
    """Shares of all cells of the table, the largest first."""
    return np.sort((counts / counts.sum()).reshape(-1))[::-1]


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
        return draw_table(rng, n, p), chosen

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
        return TWO_ARRAYS.format(p=p, got=describe(got))
    if not chosen.any():
        for leaf, text in zip(got, (EMPTY_MEAN, EMPTY_SMALLEST), strict=True):
            if not same(leaf, np.zeros(p)).all():
                return text.format(got=float(leaf[first_wrong(leaf, np.zeros(p))]))
        return None
    rows = counts[chosen]
    rights = (rows.mean(axis=0), counts.mean(axis=0)), (rows.min(axis=0), counts.min(axis=0))
    for what, leaf, (right, of_all) in zip(("mean", "smallest count"), got, rights, strict=True):
        if same(leaf, right).all():
            continue
        at = first_wrong(leaf, right)
        words = {"what": what, "at": at[0], "got": float(leaf[at]), "right": right[at], "n": n}
        if what == "mean" and same(leaf, rows.sum(axis=0) / n).all():
            return ALL_LEAVES.format(**words)
        if same(leaf, of_all).all():
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
    """One leaf's counts: more seen than there is room for, fewer, none, all; size 1, above p; long.

    One leaf comes with two sizes.
    """

    def leaf(p: int, seen: int) -> np.ndarray:
        counts = np.zeros(p, np.float32)
        counts[rng.choice(p, seen, replace=False)] = rng.integers(1, 90, size=seen)
        return counts

    sizes = [(9, 6, 4), (9, 3, 4), (9, 0, 4), (5, 5, 5), (1, 1, 3), (6, 4, 1)]
    calls = [(leaf(p, seen), size) for p, seen, size in sizes]
    calls.insert(3, (calls[1][0].copy(), 12))
    long = np.concatenate([np.zeros(2000, np.float32), leaf(160, 150)])
    return [*calls, (long, 140)]


def compare_seen(args: tuple, got: list[np.ndarray]) -> str | None:
    """The first `size` indices, filled up with -1, and the number of all."""
    counts, size = args
    if [leaf.shape for leaf in got] != [(size,), ()]:
        return PAIR.format(size=size, got=describe(got))
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


rubric = Rubric(
    lesson="static_reshape",
    learned="sizes without the data: `x.size`, `math.prod`, -1; masks, `where=`, `nonzero(size=)`",
    minutes=40,
    exercises=(
        ProgramExercise(
            name="static_reshape",
            minutes=3,
            difficulty="easy",
            importance=3,
            entry_points=("rank_abundance",),
            draws=draws,
            reference=rank_abundance,
            points={"outputs": 4, "purity": 2, "compilations": 3},
            compilations=Compilations(one_function=True),
        ),
        ProgramExercise(
            name="data_sizes",
            minutes=5,
            difficulty="medium",
            importance=3,
            entry_points=("summarize",),
            draws=masks,
            points={"outputs": 3, "purity": 1, "compilations": 1},
            reference=Comparison(compare_summaries, paths=("[0]", "[1]")),
            compilations=Compilations(one_function=True),
        ),
        ProgramExercise(
            name="data_sizes_seen",
            minutes=4,
            difficulty="medium",
            importance=2,
            entry_points=("seen_taxa",),
            draws=leaves,
            points={"outputs": 2, "purity": 1, "compilations": 1},
            reference=Comparison(compare_seen, paths=("[0]", "[1]")),
            compilations=Compilations(one_function=True),
        ),
    ),
)
