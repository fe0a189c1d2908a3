"""Lesson `static_branch`: which draw covers which sentence."""

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    MOST,
    NO_EMPTY_TABLE,
    NO_OTHER_SHAPE,
    OAKS,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "static_branch": Drawn(
        covered=(
            ("any counts (floats)", lambda counts, power: (counts == 0).any() and power < 0),
            ("any counts (floats)", lambda counts, power: (counts == 0).any() and power > 1),
            ("any integer `power`", lambda counts, power: power == 0),
            ("any integer `power`", lambda counts, power: power == 1),
            ("any integer `power`", lambda counts, power: power < -1),
            ("any integer `power`", lambda counts, power: power > 10),
            ("(and each shape)", lambda counts, power: counts.ndim == 1),
            ("(and each shape)", lambda counts, power: counts.ndim == 3),
        ),
        larger=(
            (OAKS, lambda counts, power: exceeds_oaks(counts)),
            (OAKS, lambda counts, power: power == 0 and counts.max() > MOST),
            ("caps = (100, 100, 100, 50, 50, 50, 0, 0, 0)", lambda counts, power: power > 6),
        ),
        other=(
            "they often transform them with the Box-Cox family",
            "fails with the same error",
            "it stays **one jitted function**, pure, and is",
        ),
        declined=DECLINED,
    ),
    "sum_powers": Drawn(
        covered=(
            ("`x + x**2 + ... + x**degree`", lambda x, degree: 0 in x and 1 in x),
            ("`degree` of at least 1", lambda x, degree: degree == 1),
        ),
        larger=((OAKS, lambda x, degree: len(x) > LEAVES and degree > 6),),
        declined=DECLINED,
    ),
    "rescale": Drawn(
        covered=(
            ('shares of the total for `"share"`', lambda counts, unit: unit == "share"),
            ('counts themselves for `"count"`', lambda counts, unit: unit == "count"),
        ),
        larger=tuple(
            (OAKS, lambda counts, unit, one=one: unit == one and exceeds_oaks(counts))
            for one in ("share", "count")
        ),
        declined=DECLINED,
    ),
    "soften": Drawn(
        covered=(
            (
                "**3.** `soften(counts, root)` returns the square",
                lambda counts, root: root and 0 in counts,
            ),
            ("the logarithm of `counts + 1` otherwise", lambda counts, root: not root),
        ),
        larger=((OAKS, lambda counts, root: exceeds_oaks(counts)),),
        other=("Its author remembered `static_argnums`",),
        declined=DECLINED,
    ),
    "frugal_box_cox": Drawn(
        covered=(
            ("for all powers", lambda counts, power: power == 0),
            ("for all powers", lambda counts, power: power == 1),
            ("for all powers", lambda counts, power: power < 0),
        ),
        larger=(
            (OAKS, lambda counts, power: exceeds_oaks(counts)),
            ("With three powers", lambda counts, power: power > 6),
        ),
        other=(
            "compiles a program for each power",
            "stays a plain Python integer",
            "allows several jitted functions",
            "The lesson's solution to this goal does that, so",
        ),
        declined={**DECLINED, "one": NO_OTHER_SHAPE},
    ),
}
