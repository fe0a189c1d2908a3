"""Lesson `slow_compile`: which draw covers which sentence."""

import numpy as np

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
EACH = (
    "The results are right, and must stay right.",
    "and compile once for each shape",
)

TABLE = {
    "slow_compile": Drawn(
        covered=(
            ("the ELBO before each iteration", lambda Y, O, rate, n: n == 1),
            ("all data of one shape", lambda Y, O, rate, n: len(Y) == 1),
            ("all data of one shape", lambda Y, O, rate, n: Y.shape[1] == 1),
            ("whatever the rate", lambda Y, O, rate, n: rate > 0),
            ("does not grow with the number of iterations", lambda Y, O, rate, n: n > 30),
        ),
        larger=(
            (OAKS, lambda Y, *_: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            ("for n_iterations in (3, 12)", lambda Y, O, rate, n: n > 12),
        ),
        other=(
            "`fit` below does all three.",
            "it returns what it returns now:",
            "it is **one** jitted function",
        ),
        declined=DECLINED,
    ),
    "spread": Drawn(
        covered=(
            ("after `steps` moves between sites", lambda moves, shares, steps: steps == 1),
            ("after `steps` moves between sites", lambda moves, shares, steps: len(moves) == 1),
            ("however many steps there are", lambda moves, shares, steps: steps > 30),
        ),
        larger=((OAKS, lambda moves, shares, steps: len(shares) > LEAVES),),
        other=(*EACH, "`steps` is a plain Python integer."),
        declined=DECLINED,
    ),
    "rates": Drawn(
        covered=(
            ("the counts of each site by its depth", lambda Y, depths: np.ptp(depths) > 0),
            ("the counts of each site by its depth", lambda Y, depths: Y.shape == (1, 1)),
        ),
        larger=((OAKS, lambda Y, depths: exceeds_oaks(Y)),),
        other=("It compiles at each call.",),
        declined=DECLINED,
    ),
    "centered_logs": Drawn(
        covered=(
            ("their means by taxon", lambda Y: Y.shape[0] != Y.shape[1] and 0 in Y),
            ("their means by taxon", lambda Y: Y.shape == (1, 1)),
        ),
        larger=((OAKS, exceeds_oaks),),
        other=("Its program holds the counts.",),
        declined=DECLINED,
    ),
}
