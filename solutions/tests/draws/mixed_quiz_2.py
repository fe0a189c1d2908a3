"""Lesson `mixed_quiz_2`: which draw covers which sentence."""

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
    "mixed_quiz_2_descend": Drawn(
        covered=(
            ("the first row of `slopes`", lambda B, slopes: len(slopes) == 1),
            ("a third of the third, and so on", lambda B, slopes: len(slopes) > 2),
        ),
        larger=((OAKS, lambda B, slopes: len(slopes) > LEAVES and len(B) > TAXA),),
        other=("It returns something else", "A Python loop over one jitted step is fine here."),
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
}
