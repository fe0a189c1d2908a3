"""Lesson `scan_fit`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}


def is_large(Y):
    return Y.shape[0] > LEAVES and Y.shape[1] > TAXA


TABLE = {
    "scan_fit": Drawn(
        covered=(
            ("`moved` (the largest update in the last iteration)", lambda Y, O, X, n: n > 2),
            ("with `n_iterations` a plain Python integer", lambda Y, O, X, n: n == 1),
            ("compiled once for each size", lambda Y, O, X, n: len(Y) == 1),
            ("does not grow with the number of iterations", lambda Y, O, X, n: n > 50),
        ),
        larger=(
            (OAKS, lambda Y, O, X, n: is_large(Y)),
            ("for n_iterations in (10, 10, 100, 100)", lambda Y, O, X, n: n > 200),
        ),
        other=("fails with the error on types",),
        declined=DECLINED,
    ),
    "smooth": Drawn(
        covered=(
            ("which is 0 at the start", lambda x: len(x) == 1),
            ("the mean of `x` there and of the smoothed value before", lambda x: len(x) > 5),
        ),
        larger=((OAKS, lambda x: len(x) > LEAVES),),
        declined=DECLINED,
    ),
    "total_by_taxon": Drawn(
        covered=(("adds up the rows of `Y`", lambda Y: Y.shape[0] != Y.shape[1] > 1),),
        larger=((OAKS, is_large),),
        declined=DECLINED,
    ),
    "average_growth": Drawn(
        covered=(
            ("the average of all states on the way", lambda x, steps: steps == 1),
            ("the average of all states on the way", lambda x, steps: steps > 2),
        ),
        larger=(
            (
                "more than 2 MB for a table of 40 x 30 and 500 steps",
                lambda x, steps: x.shape[0] > 40 and x.shape[1] > 30 and steps > 500,
            ),
        ),
        other=("It keeps all of them for that", "**less than 128 KiB of scratch memory**"),
        declined=DECLINED,
    ),
}
