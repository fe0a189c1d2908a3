"""Lesson `precision`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

TABLE = {
    "precision": Drawn(
        covered=(
            ("the log abundance of each taxon", lambda Y, O, rate, steps: len(Y) == 1),
            ("the loss before each step", lambda Y, O, rate, steps: steps == 1),
            (
                "they are as accurate as float32 allows: nothing",
                lambda Y, O, rate, steps: Y.max() > 256,
            ),
            ("does not grow with `steps`", lambda Y, O, rate, steps: steps > 50),
        ),
        larger=(
            (OAKS, lambda Y, O, rate, steps: len(Y) > LEAVES and Y.shape[1] > TAXA),
            ("(10, 100, 400)", lambda Y, O, rate, steps: steps > 400),
        ),
        other=(
            "now arrive in bfloat16",
            "The `rate` is a float32 array",
            "`fit` fails with the error above",
            "it returns the estimate and the losses in float32",
            "it works for data in float32, too",
        ),
        declined={"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE},
    ),
}
