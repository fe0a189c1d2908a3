"""Lesson `containers`: which draw covers which sentence."""

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    NO_OTHER_SHAPE,
    OAKS,
    TAXA,
    Drawn,
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
            ("covariates, 1000)", lambda Y, O, X, n: n > 1000),
        ),
        other=(
            "`loss` below is minus the ELBO.",
            "`free` holds the parameters that the optimizer",
            "the data and Omega come from the container.",
            "`PLN` and `fit` fail with both errors from above,",
            "with the fields `B`, `M`, `log_S` and `Omega`",
            "Which other fields it has is your choice",
        ),
        declined=DECLINED,
    ),
    "dataclass_pytree": Drawn(
        covered=(
            (
                'is `"full"` or `"diagonal"`',
                lambda Y, O, X, rate, covariance, n: covariance == "full",
            ),
            (
                'is `"full"` or `"diagonal"`',
                lambda Y, O, X, rate, covariance, n: covariance == "diagonal",
            ),
            ("the ELBO before each iteration", lambda Y, O, X, rate, covariance, n: n == 1),
            ("compiled once for each size", lambda Y, O, X, rate, covariance, n: len(Y) == 1),
            ("another rate", lambda Y, O, X, rate, covariance, n: rate > 0),
        ),
        larger=(
            (OAKS, lambda Y, *_: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            ("fit_model(model, 300)", lambda Y, O, X, rate, covariance, n: n > 300),
        ),
        other=(
            "`Model` has two more fields.",
            "learning rate, an array without axes",
            "JAX does not know `Model`",
            "still makes a model",
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
    "flatten_counts": Drawn(
        covered=(
            ('`log(y + 1)` for `"log"`', lambda y, kind: kind == "log" and 0 in y),
            ("the square root otherwise", lambda y, kind: kind == "root" and 0 in y),
        ),
        larger=((OAKS, lambda y, kind: len(y) > LEAVES),),
        other=("because of one field",),
        declined=DECLINED,
    ),
    "temper": Drawn(
        covered=(
            ("a program for each temperature", lambda z, temperature: temperature < 0.5),
            ("a plain Python float", lambda z, temperature: temperature > 1),
        ),
        larger=((OAKS, lambda z, temperature: len(z) > LEAVES),),
        other=("Let **one program** serve all of them.",),
        declined={**DECLINED, "one": NO_OTHER_SHAPE},
    ),
}
