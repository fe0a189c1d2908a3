"""Lesson `mixed_quiz_1`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    NO_LARGEST,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "mixed_quiz_1_effort": Drawn(
        covered=(
            ('total count for `"total"`', lambda counts, scheme: scheme == "total"),
            ('largest count for `"largest"`', lambda counts, scheme: scheme == "largest"),
            ("one number for each site", lambda counts, scheme: counts.shape == (1, 1)),
            (
                "Call it with either string, and it stops with an",
                lambda counts, scheme: 0 in counts,
            ),
            (
                "Every site has a count above zero.",
                lambda counts, scheme: (counts.sum(axis=1) > 0).all(),
            ),
        ),
        larger=tuple(
            (OAKS, lambda counts, scheme, one=one: scheme == one and exceeds_oaks(counts))
            for one in ("total", "largest")
        ),
        declined={**DECLINED, "empty": NO_LARGEST},
    ),
    "mixed_quiz_1_shorten": Drawn(
        covered=(
            ("an array of any shape", lambda step, longest: step.ndim == 1),
            ("an array of any shape", lambda step, longest: step.ndim == 3),
            ("is at most `longest`", lambda step, longest: 0 < np.linalg.norm(step) < longest),
            (
                "`shorten(step, longest)` should return it",
                lambda step, longest: np.sum(step**2) > longest**2,
            ),
            ("A step of zeros stays zeros.", lambda step, longest: not step.any()),
            ("`longest` is a positive JAX number", lambda step, longest: longest < 0.01),
        ),
        larger=((OAKS, lambda step, longest: step.shape[0] > LEAVES and step.shape[-1] > TAXA),),
        declined=DECLINED,
    ),
    "mixed_quiz_1_rescale": Drawn(
        covered=(
            ("all sites have the same total", lambda counts: np.ptp(counts.sum(axis=1)) > 0),
            ("all sites have the same total", lambda counts: np.ptp(counts.sum(axis=1)) == 0),
            ("Every site has counts.", lambda counts: (counts.sum(axis=1) > 0).all()),
        ),
        larger=(
            (OAKS, exceeds_oaks),
            ("for example `counts[:50]`", lambda counts: len(counts) > 50),
        ),
        other=("The first table works", "Then try another one"),
        declined=DECLINED,
    ),
}
