"""Lesson `pytree_class`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "pytree_class": Drawn(
        covered=(
            ("Each step changes B, M and log S", lambda Y, O, X, n: n == 1),
            ("a fitted model can be fitted again, from where it is", lambda Y, O, X, n: n > 2),
            ("compiled once for each shape", lambda Y, O, X, n: Y.shape == (1, 1)),
            ("a model that is taken apart and put together", lambda Y, O, X, n: X.shape[1] > 1),
        ),
        larger=(
            (OAKS, lambda Y, O, X, n: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            # Not the 200 iterations of `pln.fit(200)`: rounding decides much of two such fits.
        ),
        other=(
            "`PLN` is modelled on a class that a tutorial on",
            "It starts near the counts.",
            "breaks each of the three rules",
            "returns the fitted model, and the ELBO before each iteration",
            "Y, O, X, B, M, log_S, Sigma, Omega;",
            "`fit` leaves the model that it is called on as it was",
        ),
        declined={**DECLINED, "new values": "the intercept is the same in all tables of a shape"},
    ),
    "line_at": Drawn(
        covered=(("returns `slope * x + intercept`", lambda slope, at, x: slope != at),),
        larger=((OAKS, lambda slope, at, x: len(x) > LEAVES),),
        other=("The result is wrong.",),
        declined=DECLINED,
    ),
    "raise_all": Drawn(
        covered=(
            ("a plain Python integer", lambda x, power: power == 1),
            ("raises each entry to `power`", lambda x, power: power > 3),
        ),
        larger=((OAKS, lambda x, power: len(x) > LEAVES),),
        declined=DECLINED,
    ),
    "scale_counts": Drawn(
        covered=(("returns `y / rate`", lambda y, rate: 0 in y and rate != 1),),
        larger=((OAKS, lambda y, rate: len(y) > LEAVES),),
        declined=DECLINED,
    ),
}
