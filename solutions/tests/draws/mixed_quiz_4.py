"""Lesson `mixed_quiz_4`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, TAXA, Drawn

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}
FEW = "(6, 4)"

TABLE = {
    "mixed_quiz_4_grown": Drawn(
        covered=(
            ("after `years` years", lambda rate, start, years: years == 0),
            ("after `years` years", lambda rate, start, years: years == 1),
            ("how much of each taxon is there", lambda rate, start, years: len(rate) == 1),
            ("the program must not grow with it", lambda rate, start, years: years > 50),
        ),
        larger=((FEW, lambda rate, start, years: len(rate) > LEAVES),),
        other=("The values are right.", "stops with an error"),
        declined=DECLINED,
    ),
    "mixed_quiz_4_descend": Drawn(
        covered=(
            ("the first row of `slopes`", lambda B, slopes: len(slopes) == 1),
            ("a third of the third, and so on", lambda B, slopes: len(slopes) > 2),
        ),
        larger=((FEW, lambda B, slopes: len(slopes) > LEAVES and len(B) > TAXA),),
        other=("It returns something else", "A Python loop over one jitted step is fine here."),
        declined=DECLINED,
    ),
    "mixed_quiz_4_groups": Drawn(
        covered=(
            ("that of its group", lambda effects, groups: len(effects) == 1),
            ("from 0 on", lambda effects, groups: 0 in groups and len(effects) > 1),
            ("from 0 on", lambda effects, groups: (len(effects) - 1) in groups),
            ("below 0", lambda effects, groups: -1 in groups),
            ("below 0", lambda effects, groups: groups.min() < -len(effects)),
            ("or too large", lambda effects, groups: len(effects) in groups),
            (
                "the group of a site is not known",
                lambda effects, groups: ((groups < 0) | (groups >= len(effects))).all(),
            ),
        ),
        larger=(
            (FEW, lambda effects, groups: len(groups) > LEAVES and effects.shape[1] > TAXA),
            (FEW, lambda effects, groups: groups[groups < len(effects)].max() > LEAVES),
        ),
        other=("Try it with such numbers.",),
        declined=DECLINED,
    ),
}
