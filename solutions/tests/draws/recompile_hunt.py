"""Lesson `recompile_hunt`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    MOST,
    NO_EMPTY_TABLE,
    NO_OTHER_SHAPE,
    TAXA,
    Drawn,
    exceeds_oaks,
)

OAKS = "Y = load_oaks().Y"
DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "recompile_hunt_calls": Drawn(
        covered=(
            ("with smaller and smaller steps", lambda counts, rates: 0.25 in rates),
            ("a tuple of plain Python numbers", lambda counts, rates: len(rates) == 1),
            ("a tuple of plain Python numbers", lambda counts, rates: rates == (1, 1, 1)),
            ("whatever the rates", lambda counts, rates: len({*rates}) < len(rates)),
            ("compiled once for a shape", lambda counts, rates: len(counts) == 1),
        ),
        larger=(
            (OAKS, lambda counts, rates: exceeds_oaks(counts)),
            ("such as `(1, 0.5, 0.25)`", lambda counts, rates: len(rates) > 3),
        ),
        other=(
            "Its results are right.",
            "nothing is compiled at a second call",
            "You may also write one jitted function",
            "That one may be compiled",
        ),
        declined=DECLINED,
    ),
    "recompile_hunt": Drawn(
        covered=(
            ("standard deviation of the log abundances", lambda y: len(y) > 1 and np.ptp(y) < 5),
            ("of 1 to 128 counts", lambda y: len(y) == 1),
            ("of 1 to 128 counts", lambda y: len(y) == 128),
            ("pad to 64 or to 128", lambda y: len(y) == 64),
            ("pad to 64 or to 128", lambda y: len(y) == 65),
            ("A zero may also be a count", lambda y: not y.any()),
            ("A zero may also be a count", lambda y: y[0] == 0 and y.any()),
        ),
        larger=((OAKS, lambda y: len(y) > TAXA), (OAKS, lambda y: y.max() > MOST)),
        other=(
            "It is compiled for each length.",
            "at most two programs",
            "program, is right as well",
            "the padding does not change the results",
            "may be a plain function that pads",
            "Pad with NumPy",
            "With `jax.numpy`, outside jit",
        ),
        declined={**DECLINED, "empty": "there is no mean of nothing"},
    ),
    "standardise": Drawn(
        covered=(("compiles at every call", lambda Y: Y.shape == (1, 1)),),
        larger=((OAKS, exceeds_oaks),),
        declined=DECLINED,
    ),
    "sum_of_logs": Drawn(
        covered=(("compiles at every call", lambda Y: Y.shape == (1, 1)),),
        larger=((OAKS, exceeds_oaks),),
        declined=DECLINED,
    ),
    "shift_all": Drawn(
        covered=(
            ("each value of `by`", lambda y, by: by == 0),
            ("each value of `by`", lambda y, by: by < 0),
        ),
        larger=((OAKS, lambda y, by: len(y) > LEAVES),),
        other=("One is enough.",),
        declined={**DECLINED, "one": NO_OTHER_SHAPE},
    ),
}
