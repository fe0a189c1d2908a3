"""Lesson `mixed_quiz_2`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    MOST,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "mixed_quiz_2_deviance": Drawn(
        covered=(
            ("for each count $y$ with mean", lambda means, counts: (counts > 0).any()),
            ("is 0 if $y$ is 0", lambda means, counts: 0 in counts and counts.any()),
            ("is 0 if $y$ is 0", lambda means, counts: not counts.any()),
            ("arrays of any shape", lambda means, counts: counts.ndim == 0),
            ("arrays of any shape", lambda means, counts: counts.ndim == 3),
            ("`jax.grad` of their sum", lambda means, counts: 0 in counts and counts.size > 1),
        ),
        larger=((OAKS, lambda means, counts: counts.ndim == 2 and exceeds_oaks(counts)),),
        declined=DECLINED,
    ),
    "mixed_quiz_2_level": Drawn(
        covered=(
            ("over the sites where it was found", lambda counts: 0 in counts and counts.any()),
            ("over the sites where it was found", lambda counts: (counts > 0).all()),
            ("0 if it was found at none", lambda counts: not counts.any()),
        ),
        larger=((OAKS, lambda counts: len(counts) > LEAVES and counts.max() > MOST),),
        declined=DECLINED,
    ),
    "mixed_quiz_2_axis": Drawn(
        covered=(
            ("begin with the first unit vector", lambda Sigma, turns: turns == 1),
            ("multiply it `turns` times", lambda Sigma, turns: turns > 2),
            ("scale it to length 1 each time", lambda Sigma, turns: len(Sigma) > 1 < turns),
            ("must not grow with `turns`", lambda Sigma, turns: turns > 30),
            ("and may be 0", lambda Sigma, turns: turns == 0),
        ),
        larger=((OAKS, lambda Sigma, turns: len(Sigma) > TAXA),),
        declined=DECLINED,
    ),
    "mixed_quiz_2_climb": Drawn(
        covered=(
            ("`steps` steps of gradient ascent", lambda params, Y, rate, steps: steps == 1),
            ("`steps` steps of gradient ascent", lambda params, Y, rate, steps: steps > 3),
            ("one number for each taxon", lambda params, Y, rate, steps: np.all(params["B"])),
            ("(one for each count)", lambda params, Y, rate, steps: np.all(params["M"])),
        ),
        larger=((OAKS, lambda params, Y, *_: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),),
        other=("It returns what it was given", "A Python loop over one jitted step is fine here"),
        declined=DECLINED,
    ),
}
