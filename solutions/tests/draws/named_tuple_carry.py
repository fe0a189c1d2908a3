"""Lesson `named_tuple_carry`: which draw covers which sentence."""

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
    "named_tuple_carry": Drawn(
        covered=(
            ("the ELBO before each iteration", lambda Y, O, X, n: n == 1),
            ("compiled once for each size", lambda Y, O, X, n: len(Y) == 1),
            ("does not grow with the number of iterations", lambda Y, O, X, n: n > 50),
        ),
        larger=(
            (OAKS, lambda Y, O, X, n: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            ("covariates, 200)", lambda Y, O, X, n: n > 200),
        ),
        other=(
            "fail with both errors, one after the other",
            "with its fields `B`, `M`, `log_S` and `Omega`",
            "which other fields it has is your choice",
        ),
        declined=DECLINED,
    ),
    "tally_up": Drawn(
        covered=(
            ("and the sum of its positive entries", lambda x: (x > 0).any() and (x < 0).any()),
            ("returns the sum of `x`", lambda x: len(x) == 1),
        ),
        larger=((OAKS, lambda x: len(x) > LEAVES),),
        other=("Both are 0.",),
        declined=DECLINED,
    ),
    "moments": Drawn(
        covered=(("the sum of its squares", lambda x: len(x) > 1 and (x < 0).any()),),
        larger=((OAKS, lambda x: len(x) > LEAVES),),
        declined=DECLINED,
    ),
    "centre_taxa": Drawn(
        covered=(
            ("subtracts the mean of each taxon", lambda Y: Y.shape[0] != Y.shape[1]),
            ("subtracts the mean of each taxon", lambda Y: Y.shape == (1, 1)),
        ),
        larger=((OAKS, exceeds_oaks),),
        declined=DECLINED,
    ),
    "settle": Drawn(
        covered=(
            ("the state after the last step", lambda target, steps: steps == 1),
            ("more than 2 MB for 400", lambda target, steps: steps > 100),
        ),
        larger=(
            (OAKS, lambda target, steps: len(target) > LEAVES),
            (OAKS, lambda target, steps: target.shape[1] > TAXA),
            ("more than 2 MB for 400", lambda target, steps: steps > 400),
        ),
        other=("less than 128 KiB of scratch memory",),
        declined=DECLINED,
    ),
}
