"""Lesson `early_stop`: which draw covers which sentence."""

import numpy as np

from autograder.rubrics.early_stop import trajectory
from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    MOST,
    NO_AXIS,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}


def needed(counts: np.ndarray, offsets: np.ndarray) -> int:
    """How many steps it takes until nothing moves by more than the tolerance."""
    return int(np.argmax(trajectory(counts, offsets)[1] <= 1e-5)) + 1


TABLE = {
    "early_stop": Drawn(
        covered=(
            ("for counts of any shape", lambda counts, offsets, limit: counts.ndim == 2),
            ("at least one entry", lambda counts, offsets, limit: counts.shape == (1,)),
            (
                "as many Newton steps as were needed",
                lambda counts, offsets, limit: 0 in counts and needed(counts, offsets) < limit,
            ),
            (
                "never more than `limit`",
                lambda counts, offsets, limit: 0 < limit < needed(counts, offsets),
            ),
            ("which may be 0", lambda counts, offsets, limit: limit == 0),
            (
                "changed no entry by more than the tolerance",
                lambda counts, offsets, limit: (
                    (np.abs(np.log(counts + 0.5) - offsets + 0.5) < 0.01).sum() > 1000
                ),
            ),
            (
                "True if and only if the last step changed no",
                lambda counts, offsets, limit: 0 < needed(counts, offsets) < limit,
            ),
            (
                "True if and only if the last step changed no",
                lambda counts, offsets, limit: limit == needed(counts, offsets) == 1,
            ),
            ("False if no step was made", lambda counts, offsets, limit: limit == 0),
            ("Missing counts are NaN", lambda counts, offsets, limit: np.isnan(counts).sum() == 1),
            (
                "whose program does not grow with `limit`",
                lambda counts, offsets, limit: needed(counts, offsets) > 50,
            ),
        ),
        larger=(
            (OAKS, lambda counts, *_: counts.shape[0] > LEAVES and counts.shape[-1] > TAXA),
            (OAKS, lambda counts, *_: counts.max() > MOST),
            (
                "latent_mode(counts, offsets, 50)",
                lambda counts, offsets, limit: limit > needed(counts, offsets) > 50,
            ),
        ),
        other=(
            "a tolerance that float32 cannot reach",
            "it returns three things",
            "one flag",
            "The tolerance is",
            "Whether the loop then stops at once",
            "You may make `limit` static.",
        ),
        declined={"empty": NO_EMPTY_TABLE, "infinite": FINITE},
    ),
    "count_halvings": Drawn(
        covered=(
            ("until it is at most 1", lambda x: x < 1),
            ("until it is at most 1", lambda x: x == 1),
            ("how many times", lambda x: x == 8),
        ),
        larger=(("shrink(100.0, 1.0)", lambda x: x > 1e6),),
        declined={
            **dict.fromkeys(("empty", "one", "equal"), NO_AXIS),
            **dict.fromkeys(("infinite", "nan"), "it would be halved for ever, or never"),
        },
    ),
    "shrink": Drawn(
        covered=(
            ("divides `x` by 2, then by 3", lambda x, steps: steps > 2),
            ("`steps` times", lambda x, steps: steps == 0),
            ("`steps` times", lambda x, steps: steps == 1),
        ),
        larger=((OAKS, lambda x, steps: len(x) > LEAVES and steps > 10),),
        other=("`steps` is a JAX integer", "The result is wrong."),
        declined=DECLINED,
    ),
    "average_until": Drawn(
        covered=(
            ("moves all entries towards their mean", lambda x, tolerance: np.ptp(x) > tolerance),
            ("they differ by at most `tolerance`", lambda x, tolerance: np.ptp(x) <= tolerance),
        ),
        larger=((OAKS, lambda x, tolerance: len(x) > LEAVES and tolerance < 0.05),),
        other=(
            "It compiles a program for each tolerance",
            "Let **one program** serve all of them.",
        ),
        declined={**DECLINED, "one": "one program is to be enough: all have one shape"},
    ),
}
