"""Lesson `static_reshape`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "static_reshape": Drawn(
        covered=(
            ("a table of any shape", lambda counts: counts.size == 1),
            ("a table of any shape", lambda counts: 1 in counts.shape and counts.size > 1),
            ("with any number of axes", lambda counts: counts.ndim == 1),
            ("with any number of axes", lambda counts: counts.ndim == 2),
            ("with any number of axes", lambda counts: counts.ndim == 3),
            ("with any number of axes", lambda counts: counts.ndim == 4),
        ),
        larger=((OAKS, lambda counts: counts.size > LEAVES * TAXA),),
        other=("`rank_abundance(counts)` below fails with", "TypeError", "Shapes must be 1D"),
        declined=DECLINED,
    ),
    "add_intercept": Drawn(
        covered=(("a column of ones before the covariates", lambda X: X.shape[1] > 1),),
        larger=((OAKS, lambda X: X.shape[0] > LEAVES and X.shape[1] > TAXA),),
        declined=DECLINED,
    ),
    "block_means": Drawn(
        covered=(
            ("the mean of each block", lambda x, width: 1 < width < len(x)),
            ("divides the length of `x`", lambda x, width: width == 1),
            ("divides the length of `x`", lambda x, width: 1 < width == len(x)),
        ),
        larger=((OAKS, lambda x, width: width > LEAVES and len(x) > 2 * LEAVES),),
        declined=DECLINED,
    ),
    "make_grid": Drawn(
        covered=(
            ("evenly spaced values", lambda x, points: points > 5),
            ("from the smallest value of `x` to the largest", lambda x, points: x.min() < x.max()),
            ("`points` is a plain Python integer", lambda x, points: points == 2),
        ),
        larger=((OAKS, lambda x, points: points > LEAVES and len(x) > LEAVES),),
        declined=DECLINED,
    ),
    "site_variances": Drawn(
        covered=(
            ("the variance of each site", lambda X, Sigma: X.shape[1] == 3),
            ("With 4 covariates", lambda X, Sigma: X.shape[1] == 4),
        ),
        larger=(("1500 sites", lambda X, Sigma: len(X) > 1500),),
        other=("That matrix has a row and a column for each site",),
        declined=DECLINED,
    ),
}
