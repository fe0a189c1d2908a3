"""Lesson `static_self`: which draw covers which sentence."""

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
    "static_self": Drawn(
        covered=(
            ('penalized="all")` makes a model', lambda *c: c[5] == "all"),
            ('with `"slopes"` the penalty leaves out row 0', lambda *c: c[5] == "slopes"),
            ("returns a changed model", lambda Y, O, X, ridge, other, *_: ridge != other),
            ("returns the fitted model", lambda *c: c[6] > 1),
            ("compiled once for all models of one shape", lambda Y, *_: len(Y) == 1),
        ),
        larger=(
            (OAKS, lambda Y, *_: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            ("fit(50)", lambda *c: c[6] > 50),
            ("1000.0, 100000.0)", lambda Y, O, X, ridge, other, *_: other > 1e5),
        ),
        other=(
            "A Poisson regression is a PLN without its latent layer:",
            "Y is Poisson with mean exp(O + X B).",
            "B needs a penalty",
            "The mathematics below is right.",
            "has jitted methods with a static `self`",
            "`model.B`;",
            "several at once",
            "leave `model` as it was",
            "`loss` and `fit` see every change",
            "`loss` and `fit` each run as one jitted program,",
            "`n_iterations` is a plain Python integer.",
            "Whether you make it static",
        ),
        declined=DECLINED,
    ),
    "scaled_total": Drawn(
        covered=(
            ("the sum of `Y * factor`", lambda Y, factor: Y.shape[0] != Y.shape[1]),
            ("once for each shape", lambda Y, factor: Y.shape == (1, 1)),
        ),
        larger=((OAKS, lambda Y, factor: exceeds_oaks(Y)),),
        other=(
            "The work must stay jitted.",
            "You may change the class",
            "It compiles at each call.",
        ),
        declined=DECLINED,
    ),
    "capped_mean": Drawn(
        covered=(
            ("each at most `cap`", lambda Y, cap: (cap < Y).any() and (cap > Y).any()),
            ("each at most `cap`", lambda Y, cap: (cap > Y).all()),
            ("for each shape and cap", lambda Y, cap: Y.shape == (1, 1)),
        ),
        larger=((OAKS, lambda Y, cap: exceeds_oaks(Y)),),
        other=("With new counts and a cap that it has seen before",),
        declined=DECLINED,
    ),
    "penalty_of": Drawn(
        covered=(
            ("`ridge / 2` times the sum of squares", lambda B, ridge: ridge == 0),
            ("for each new ridge", lambda B, ridge: ridge > 1),
        ),
        larger=(
            (OAKS, lambda B, ridge: B.shape[0] > LEAVES and B.shape[1] > TAXA),
            ("1000.0, 100000.0)", lambda B, ridge: ridge > 1e5),
        ),
        other=("Let one program serve all ridges.",),
        declined={**DECLINED, "one": NO_OTHER_SHAPE},
    ),
}
