"""Lesson `mixed_quiz_3`: which draw covers which sentence."""

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}


def is_large(table):
    return table.ndim == 2 and table.shape[0] > LEAVES and table.shape[1] > TAXA


TABLE = {
    "mixed_quiz_3_rates": Drawn(
        covered=(
            ("for all offsets $o$", lambda offsets, other, B: offsets.shape == (1, 1)),
            ("with offsets of the same shape", lambda offsets, other, B: (offsets != other).any()),
        ),
        larger=((OAKS, lambda offsets, other, B: is_large(offsets)),),
        other=("Instead it goes on using the old ones, and it",),
        declined=DECLINED,
    ),
    "mixed_quiz_3_gaussian": Drawn(
        covered=(
            ("logs of the standard deviations", lambda mean, log_sd, O: log_sd.shape == O.shape),
            ("`q` may be any `Gaussian", lambda mean, log_sd, O: log_sd.ndim == 0),
            ("`q` may be any `Gaussian", lambda mean, log_sd, O: mean.shape == (1, 1)),
            ("should return $e^{O + m + s^2 / 2}$", lambda mean, log_sd, O: mean.ndim == 1),
        ),
        larger=((OAKS, lambda mean, log_sd, O: is_large(O)),),
        other=("It is right without `@jax.jit`",),
        declined=DECLINED,
    ),
    "mixed_quiz_3_groups": Drawn(
        covered=(
            (
                "`group_effects(effects, groups)` should return,",
                lambda effects, groups: len(effects) == 1,
            ),
            (
                "`effects` has a row for each group, and groups",
                lambda effects, groups: 0 in groups and len(effects) > 1,
            ),
            (
                "`effects` has a row for each group, and groups",
                lambda effects, groups: (len(effects) - 1) in groups,
            ),
            ("below 0", lambda effects, groups: -1 in groups),
            ("below 0", lambda effects, groups: groups.min() < -len(effects)),
            ("or too large", lambda effects, groups: len(effects) in groups),
            (
                "the group of a site is not known",
                lambda effects, groups: ((groups < 0) | (groups >= len(effects))).all(),
            ),
        ),
        larger=(
            (OAKS, lambda effects, groups: len(groups) > LEAVES and effects.shape[1] > TAXA),
            (OAKS, lambda effects, groups: groups[groups < len(effects)].max() > LEAVES),
        ),
        other=("Try it with such numbers.",),
        declined=DECLINED,
    ),
}
