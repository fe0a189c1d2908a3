"""Lesson `dataclass_pytree`: which draw covers which sentence."""

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    NO_OTHER_SHAPE,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "dataclass_pytree": Drawn(
        covered=(
            ("`PLN` is made as before", lambda Y, O, X, rate, covariance, n: covariance == "full"),
            ('or `"diagonal"`', lambda Y, O, X, rate, covariance, n: covariance == "diagonal"),
            ("the ELBO before each iteration", lambda Y, O, X, rate, covariance, n: n == 1),
            ("compiled once for each size", lambda Y, O, X, rate, covariance, n: len(Y) == 1),
            ("another rate", lambda Y, O, X, rate, covariance, n: rate > 0),
        ),
        larger=(
            (OAKS, lambda Y, *_: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            ("oaks_model(covariance), 200)", lambda Y, O, X, rate, covariance, n: n > 200),
        ),
        other=("a class that JAX does not know",),
        declined=DECLINED,
    ),
    "share_by_site": Drawn(
        covered=(
            ("over the total of their site plus 1", lambda Y: Y.shape[0] != Y.shape[1]),
            ("over the total of their site plus 1", lambda Y: Y.shape == (1, 1)),
        ),
        larger=((OAKS, exceeds_oaks),),
        declined=DECLINED,
    ),
    "flatten_counts": Drawn(
        covered=(
            ('`log(y + 1)` for `"log"`', lambda y, kind: kind == "log" and 0 in y),
            ("the square root otherwise", lambda y, kind: kind == "root" and 0 in y),
        ),
        larger=((OAKS, lambda y, kind: len(y) > LEAVES),),
        other=("because of one field",),
        declined=DECLINED,
    ),
    "shifted_logs": Drawn(
        covered=(("returns `log(y + 1) + offset`", lambda y, offset: 0 in y),),
        larger=((OAKS, lambda y, offset: len(y) > LEAVES),),
        declined=DECLINED,
    ),
    "temper": Drawn(
        covered=(
            ("a program for each temperature", lambda z, temperature: temperature < 0.5),
            ("a plain Python float", lambda z, temperature: temperature > 1),
        ),
        larger=((OAKS, lambda z, temperature: len(z) > LEAVES),),
        other=("Make **one program** enough",),
        declined={**DECLINED, "one": NO_OTHER_SHAPE},
    ),
}
