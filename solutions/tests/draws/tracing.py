"""Lesson `tracing`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, NO_EMPTY_TABLE, NO_LARGEST, NO_OTHER_SHAPE, Drawn

FOUR = "four = jnp.array([1.0, 2.0, 3.0]), jnp.array([1.0, 2.0, 3.0, 4.0])"
DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "tracing_print": Drawn(
        covered=(
            ("the largest absolute difference", lambda a, b: (a < b).all()),
            ("the largest absolute difference", lambda a, b: (a > b).all()),
            ("the largest absolute difference", lambda a, b: (a == b).all()),
            ("arrays of any shape", lambda a, b: a.ndim == 1),
            ("arrays of any shape", lambda a, b: a.ndim == 3),
            ("arrays of any shape", lambda a, b: a.ndim == 0),
        ),
        larger=((FOUR, lambda a, b: len(a) > 100),),
        other=(
            "jit works for **pure** functions",
            "A pure function gets everything through its arguments",
            "fails like `watched_error`",
            "printing is left to the caller",
            "*one jitted function* means",
            "You may wrap it in a plain function that only",
            "*Any shape* means any with at least one entry.",
        ),
        declined={**DECLINED, "empty": NO_LARGEST},
    ),
    "log_counts": Drawn(
        covered=(("entry by entry", lambda counts: 0 in counts and counts.ndim == 2),),
        larger=((FOUR, lambda counts: len(counts) > 100),),
        declined=DECLINED,
    ),
    "largest_share": Drawn(
        covered=(("largest share of the total", lambda counts: counts.ndim == 2),),
        larger=((FOUR, lambda counts: len(counts) > 100),),
        declined={**DECLINED, "empty": NO_LARGEST},
    ),
    "add_offset": Drawn(
        covered=(
            ("for any `offset`", lambda counts, offset: offset > 0),
            ("for any `offset`", lambda counts, offset: offset < 0),
            ("for any `offset`", lambda counts, offset: offset == 0),
        ),
        larger=((FOUR, lambda counts, offset: len(counts) > 100),),
        other=("As it stands, it adds the same offset at every call.",),
        declined={**DECLINED, "one": NO_OTHER_SHAPE},
    ),
}
