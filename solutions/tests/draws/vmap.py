"""Lesson `vmap`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    MOST,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "vmap": Drawn(
        covered=(
            ("the effective number of species", lambda counts, order: 0 in counts),
            ("Order 0 counts each species", lambda counts, order: order == 0),
            ("higher orders", lambda counts, order: order == 2),
            ("for any table", lambda counts, order: len(counts) == 1 < counts.shape[1]),
            ("for any table", lambda counts, order: counts.shape[1] == 1 < len(counts)),
            ("for any table", lambda counts, order: counts.shape[0] == counts.shape[1]),
            ("it returns the same array, for any table in which", lambda counts, order: order == 1),
            ("it returns the same array, for any table in which", lambda counts, order: order > 2),
            (
                "its program does not grow with the number of",
                lambda counts, order: len(counts) > 50,
            ),
        ),
        larger=((OAKS, lambda counts, order: exceeds_oaks(counts)),),
        other=(
            "`diversities(counts, order)` returns it for each",
            "It works, but makes one call for each row.",
            "compiled once for each shape and `order`",
        ),
        declined=DECLINED,
    ),
    "vmap_axes": Drawn(
        covered=(
            ("its counts `y` (n,)", lambda Y, O, X, B: len(Y) > 1 and 0 in Y),
            ("the covariates `X` (n, d)", lambda Y, O, X, B: X.shape[1] == 1),
            ("gets the tables of all species", lambda Y, O, X, B: Y.shape[1] > Y.shape[0]),
            ("a table of shape (n, p)", lambda Y, O, X, B: Y.shape[0] > Y.shape[1]),
            ("it is right for any numbers of sites, species and", lambda Y, O, X, B: Y.size == 1),
            (
                "it is right for any numbers of sites, species and",
                lambda Y, O, X, B: len({*Y.shape, *B.shape}) == 1 < len(Y),
            ),
        ),
        larger=(
            (OAKS, lambda Y, *_: exceeds_oaks(Y)),
            ("(n, d)", lambda Y, O, X, B: X.shape[1] > 4),
        ),
        other=("It fails with", "ValueError"),
        declined=DECLINED,
    ),
    "counts_above": Drawn(
        covered=(
            ("above the limit of that row", lambda counts, limits: np.ptp(limits) > 0),
            ("above the limit", lambda counts, limits: (counts == limits[:, None]).any()),
            (
                "`limits` has one for each row",
                lambda counts, limits: 1 < counts.shape[0] == counts.shape[1],
            ),
        ),
        larger=(
            (OAKS, lambda counts, limits: exceeds_oaks(counts)),
            (OAKS, lambda counts, limits: limits.max() > MOST),
        ),
        declined=DECLINED,
    ),
    "all_pairs": Drawn(
        covered=(
            (
                "**2.** `all_pairs(counts)` returns a square",
                lambda counts: len(counts) > counts.shape[1],
            ),
            ("a square table", lambda counts: 1 < counts.shape[0] == counts.shape[1]),
        ),
        larger=((OAKS, lambda counts: counts.shape[0] > LEAVES and counts.shape[1] > TAXA),),
        other=("As it stands, it returns only that of each row to",),
        declined=DECLINED,
    ),
    "scale_rows": Drawn(
        covered=(
            ("by its largest entry", lambda x: x.max() > 1 and x.shape[0] > 1),
            ("where that is above 1", lambda x: (x.max(axis=1) < 0).any()),
            ("where that is above 1", lambda x: (x.max(axis=1) == 1).any()),
        ),
        larger=((OAKS, lambda x: x.shape[0] > LEAVES and x.shape[1] > TAXA),),
        other=("Python's `if` needs a number",),
        declined=DECLINED,
    ),
}
