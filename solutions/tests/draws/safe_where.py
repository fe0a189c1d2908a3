"""Lesson `safe_where`: which draw covers which sentence."""

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "safe_where": Drawn(
        covered=(
            ("the values are $\\log y!$", lambda y: 2 in y or (y > 1).any()),
            ("0 at $y = 0$", lambda y: not y.any()),
            ("right at $y = 1, 2, \\dots$", lambda y: 1 in y),
            ("right at $y = 1, 2, \\dots$", lambda y: y.max() == 700),
            ("it is 0 or the exact slope", lambda y: 0 in y and y.any()),
            (
                "Its argument holds counts as floats: whole",
                lambda y: 0 in y and (y == y.round()).all(),
            ),
            ("any shape with at least one entry", lambda y: y.ndim == 0),
            ("any shape with at least one entry", lambda y: y.ndim == 1),
            ("any shape with at least one entry", lambda y: y.ndim == 2),
        ),
        larger=((OAKS, exceeds_oaks),),
        other=(
            "has the right values and a gradient with NaN",
            "Between them, for instance where $0 < y < 1$",
        ),
        declined=DECLINED,
    ),
    "root_or_zero": Drawn(
        covered=(
            ("the square root of each positive entry", lambda z: (z > 0).any()),
            ("and 0 for the others", lambda z: (z < 0).all()),
            ("Its gradient must be 0 there too.", lambda z: 0 in z and (z < 0).any()),
        ),
        larger=((OAKS, lambda z: z.shape[0] > LEAVES and z.shape[-1] > TAXA),),
        declined=DECLINED,
    ),
    "share_of": Drawn(
        covered=(
            ("returns `counts / totals`", lambda counts, totals: (totals > 0).sum() > 1),
            ("0 where the total is 0", lambda counts, totals: (totals == 0).sum() == 1),
            (
                "The gradient with respect to `totals` must be 0",
                lambda counts, totals: not totals.any(),
            ),
        ),
        larger=((OAKS, lambda counts, totals: len(counts) > LEAVES),),
        declined=DECLINED,
    ),
    "row_lengths": Drawn(
        covered=(
            ("the length of each row", lambda M: M.any(axis=1).all()),
            ("begins with rows of zeros", lambda M: (~M.any(axis=1)).sum() == 1),
            ("begins with rows of zeros", lambda M: not M.any()),
        ),
        larger=((OAKS, lambda M: M.shape[0] > LEAVES and M.shape[-1] > TAXA),),
        declined=DECLINED,
    ),
}
