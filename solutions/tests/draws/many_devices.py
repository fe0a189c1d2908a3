"""Lesson `many_devices`: which draw covers which sentence."""

import numpy as np

from autograder.rubrics.many_devices import fits
from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

NO_ONE = "the number of sites is a multiple of four"
DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}
OWN_STEPS = "each fit takes several steps with the same data, from the start of its own"
EACH = ("Its argument `Y` is on one device, and has a",)

TABLE = {
    "many_devices": Drawn(
        calls=fits,
        covered=(
            ("`M` has a row for each site", lambda Y, O, X: len(Y) == 8),
            ("tables whose number of sites is a multiple of four", lambda Y, O, X: len(Y) > 8),
            ("are the same for all sites", lambda Y, O, X: X.shape[1] > 1),
        ),
        larger=((OAKS, lambda Y, O, X: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),),
        other=(
            "without the variances `S`:",
            "The values are right.",
            "But the second call compiles again.",
            "only the first call of `step` compiles",
            "each device has the whole of `B`",
            "`params` stays a dictionary",
        ),
        declined={
            **DECLINED,
            **dict.fromkeys(("a value again", "new values"), OWN_STEPS),
        },
    ),
    "many_devices_sum": Drawn(
        covered=(
            ("the Poisson log-likelihood", lambda B, Y, O, X: X.shape[1] > 1),
            ("any number of sites that is a multiple of four", lambda B, Y, O, X: len(Y) == 4),
            ("with 400 sites and 118 taxa", lambda B, Y, O, X: Y.shape == (400, 118)),
        ),
        larger=((OAKS, lambda B, Y, O, X: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),),
        other=(
            "Somebody has followed the advice",
            "it stays one jitted function, which splits its arguments itself",
            "One thing to know",
            "With the check on",
            "With the check off",
        ),
        declined=DECLINED,
    ),
    "largest_count": Drawn(
        covered=(
            ("the largest of all counts", lambda Y: np.argmax(Y) // Y.shape[1] >= len(Y) // 4),
            ("Its argument `Y` is on one device, and has a", lambda Y: Y.shape == (4, 4)),
        ),
        larger=((OAKS, exceeds_oaks),),
        other=EACH,
        declined={**DECLINED, "one": NO_ONE},
    ),
    "site_totals": Drawn(
        covered=(("the total of each site", lambda Y: Y.shape[0] != Y.shape[1]),),
        larger=((OAKS, exceeds_oaks),),
        other=("Most of the sites are lost.",),
        declined={**DECLINED, "one": NO_ONE},
    ),
    "taxon_totals": Drawn(
        covered=(("the total of each taxon", lambda Y: Y.shape[0] != Y.shape[1]),),
        larger=((OAKS, exceeds_oaks),),
        other=("The result is four times too long.",),
        declined={**DECLINED, "one": NO_ONE},
    ),
}
