"""Lesson `debugging`: which draw covers which sentence."""

import numpy as np

from autograder.rubrics import debugging as rubric
from autograder.rubrics.drills import debugging as drills
from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
    record,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}


def judged(draws, probe, name, function):
    """The draws, and the calls that should raise."""
    return [*draws(np.random.default_rng(0)), *record(probe, name, function)]


TABLE = {
    "debugging": Drawn(
        calls=lambda: judged(rubric.lookups, rubric.probe_groups, "log_means", rubric.log_means),
        covered=(
            ("the offsets, plus the row of `B`", lambda B, group, O: len({*group.tolist()}) > 2),
            ("too large", lambda B, group, O: group.max() == len(B)),
            ("too large", lambda B, group, O: group.max() > LEAVES),
            ("negative such as -1", lambda B, group, O: -1 in group),
            ("negative such as -1", lambda B, group, O: group.min() < -LEAVES),
            ("right groups give the same result", lambda B, group, O: group.max() < len(B) - 1),
            ("compiled once for each shape", lambda B, group, O: len(B) == 1),
        ),
        larger=(
            (OAKS, lambda B, group, O: len(group) > LEAVES and O.shape[1] > TAXA),
            ("for i in (2, 3, -1)", lambda B, group, O: len(B) > 3),
        ),
        other=(
            "Its text says in words that a group or an index is out of range",
            "One of the two is enough",
            "`log_means` itself may be a plain function",
            "it prints nothing",
        ),
        declined=DECLINED,
    ),
    "debugging_nan": Drawn(
        calls=lambda: judged(rubric.fits, rubric.probe_nans, "fit", rubric.fit),
        covered=(
            (
                "if any loss is NaN, the call of `fit` raises an",
                lambda Y, O, rate: np.isneginf(O).any(),
            ),
            ("a missing count, which is NaN", lambda Y, O, rate: np.isnan(Y).any()),
            ("a rate so large that the fit diverges", lambda Y, O, rate: rate >= 1000),
            ("good data give the same pair", lambda Y, O, rate: len(Y) == 1),
            ("good data give the same pair", lambda Y, O, rate: Y.shape[1] == 1),
        ),
        larger=(
            (OAKS, lambda Y, O, rate: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            ("bad_offsets, 0.1)", lambda Y, O, rate: rate > 0.1),
        ),
        other=(
            "`fit(Y, O, rate)` is the fit from above.",
            "It returns the estimate and the mean loss.",
            "if any loss is NaN",
            "the text of the error says in words what was found",
            "One of the two is enough",
            "one jitted program does the work",
            "`fit` itself may be a plain function",
            "it prints nothing",
        ),
        declined={"empty": NO_EMPTY_TABLE},
    ),
    "log_depths": Drawn(
        calls=lambda: judged(drills.draw_depths, drills.probe_depths, "log_depths", np.log),
        covered=(
            ("the logarithms of the depths", lambda depths: 0 < depths.min() < 0.01),
            ("one of them is not above zero", lambda depths: 0 in depths and len(depths) > 1),
            ("one of them is not above zero", lambda depths: (depths < 0).any()),
            ("one of them is not above zero", lambda depths: (depths <= 0).all()),
        ),
        larger=((OAKS, lambda depths: len(depths) > LEAVES),),
        other=("It never does.", "The work must stay jitted"),
        declined=DECLINED,
    ),
    "first_missing": Drawn(
        covered=(
            ("the index of the first one", lambda y: np.isnan(y).sum() > 1 and np.isnan(y[-1])),
            ("the index of the first one", lambda y: np.isnan(y[0])),
            ("A missing count is NaN", lambda y: np.isnan(y).all()),
            ("-1 if none is missing", lambda y: not np.isnan(y).any()),
        ),
        larger=((OAKS, lambda y: np.isnan(y[LEAVES:]).any() and not np.isnan(y[:LEAVES]).any()),),
        other=("One of its answers is wrong.",),
        declined={"empty": NO_EMPTY_TABLE, "infinite": FINITE},
    ),
}
